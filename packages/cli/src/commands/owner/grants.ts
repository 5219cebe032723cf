import { printJson, printLine, printTable } from '../../output.ts'
import { withOwnerApi } from '../../owner-api.ts'
import { describeGrant, type WireGrant } from './grant-text.ts'

interface Options {
  dataDir?: string
  json?: boolean
}

interface OwnerGrant {
  grant_id: string
  status: string
  revoked_at: string | null
  grant: WireGrant
}

interface GrantList {
  data: OwnerGrant[]
  next_cursor?: string
}

export async function listGrants(options: Options & { limit: string; cursor?: string }): Promise<void> {
  const params = new URLSearchParams({
    limit: options.limit,
    ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
  })
  const list = await withOwnerApi(options, (api) => api.request<GrantList>('GET', `/v1/owner/grants?${params}`))
  if (options.json) return printJson(list)
  if (list.data.length === 0) return printLine('No grants. Nothing but you can read your data.')
  const rows = list.data.map(({ grant, status }) => [
    grant.grant_id,
    status,
    grant.client.client_display?.name ?? grant.client.client_id,
    grant.source.connector_key,
    grant.streams.map((stream) => stream.name).join(' '),
    grant.expires_at ?? 'when revoked',
  ])
  printTable(['GRANT', 'STATUS', 'CLIENT', 'SOURCE', 'STREAMS', 'ENDS'], rows)
  if (list.next_cursor) printLine(`More: pdpp owner grant list --cursor ${list.next_cursor}`)
}

export async function showGrant(id: string, options: Options): Promise<void> {
  const found = await withOwnerApi(options, (api) =>
    api.request<OwnerGrant>('GET', `/v1/owner/grants/${encodeURIComponent(id)}`),
  )
  if (options.json) return printJson(found)
  printLine(`Status       ${found.status}${found.revoked_at ? ` since ${found.revoked_at}` : ''}`)
  for (const line of describeGrant(found.grant)) printLine(line)
}

export async function revokeGrant(id: string, options: Options): Promise<void> {
  const result = await withOwnerApi(options, (api) =>
    api.request('POST', `/v1/owner/grants/${encodeURIComponent(id)}/revoke`),
  )
  if (options.json) printJson(result)
  else printLine(`Revoked ${id}. Its token no longer works.`)
}
