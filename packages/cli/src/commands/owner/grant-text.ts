import { accessSentence } from '@pdpp/protocol'
import { bold, safe } from '../../terminal/output.ts'

export interface WireGrant {
  grant_id: string
  client: { client_id: string; client_display?: { name: string } }
  source: { connector_key: string }
  access_mode: string
  purpose_description?: string
  expires_at: string | null
  streams: {
    name: string
    instance_ids: string[]
    fields: string[]
    time_constraint?: { since?: string; until?: string }
    resources?: string[]
  }[]
}

type Status = 'active' | 'paused' | 'expired' | 'revoked'

/** Names of the sources, by connection id. */
export type SourceNames = ReadonlyMap<string, string>

interface ListedGrant {
  readonly grant: WireGrant
  readonly status: Status
  readonly package_id: string | null
}

/** The same sentence as in the console. */
export function grantSentence({ grant, status, package_id: pack }: ListedGrant, names: SourceNames): string {
  const connections = [...new Set(grant.streams.flatMap((stream) => stream.instance_ids))]
  return safe(
    accessSentence({
      agent: grant.client.client_display?.name ?? grant.client.client_id,
      sources: connections.map((id) => names.get(id) ?? id),
      grants: [grant],
      status,
      isPart: pack !== null,
    }),
  )
}

/** Describes a grant: the agent, the data, and the end. */
export function describeGrant(grant: WireGrant): string[] {
  const connections = [...new Set(grant.streams.flatMap((stream) => stream.instance_ids))]
  const lines = [
    `${bold('Grant')}        ${grant.grant_id}`,
    `Client       ${safe(grant.client.client_display?.name ?? grant.client.client_id)}`,
    `Source       ${grant.source.connector_key} (${connections.join(', ')})`,
    `Ends         ${grant.expires_at ?? 'when you revoke it'}${grant.access_mode === 'single_use' ? ', one token only' : ''}`,
  ]
  if (grant.purpose_description) lines.push(`Purpose      ${safe(grant.purpose_description)}`)
  for (const stream of grant.streams)
    lines.push(`May read     ${stream.name}: ${stream.fields.map(safe).join(', ')}${limits(stream)}`)
  return lines
}

function limits({ time_constraint: time, resources }: WireGrant['streams'][number]): string {
  const parts = [
    time?.since ? `from ${time.since}` : '',
    time?.until ? `before ${time.until}` : '',
    resources ? `${resources.length} record(s) only` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}
