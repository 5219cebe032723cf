import { withOwnerApi } from '../../provider/owner-api.ts'
import { printHint, printJson, printLine, printTable } from '../../terminal/output.ts'
import { describeGrant, type WireGrant } from './grant-text.ts'

interface Options {
  dataDir?: string
  json?: boolean
}

interface OwnerGrant {
  grant_id: string
  status: string
  revoked_at: string | null
  paused_at: string | null
  last_used_at: string | null
  package_id: string | null
  replaced_by: string | null
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
  if (list.data.length === 0) return printLine('No grants. Only you can read your data.')
  const rows = list.data.map(({ grant, status, last_used_at: used }) => [
    grant.grant_id,
    status,
    grant.client.client_display?.name ?? grant.client.client_id,
    grant.source.connector_key,
    grant.streams.map((stream) => stream.name).join(' '),
    grant.expires_at ?? 'when revoked',
    used ?? 'never',
  ])
  printTable(['GRANT', 'STATUS', 'CLIENT', 'SOURCE', 'STREAMS', 'ENDS', 'LAST USED'], rows)
  if (list.next_cursor) printHint(`More: pdpp owner grant list --cursor ${list.next_cursor}`)
}

export async function showGrant(id: string, options: Options): Promise<void> {
  const found = await withOwnerApi(options, (api) =>
    api.request<OwnerGrant>('GET', `/v1/owner/grants/${encodeURIComponent(id)}`),
  )
  if (options.json) return printJson(found)
  const since = found.revoked_at ?? found.paused_at
  printLine(`Status       ${found.status}${since ? ` since ${since}` : ''}`)
  if (found.replaced_by) printLine(`Replaced by  ${found.replaced_by}`)
  if (found.package_id) printLine(`Package      ${found.package_id}`)
  printLine(`Last used    ${found.last_used_at ?? 'never'}`)
  for (const line of describeGrant(found.grant)) printLine(line)
}

export async function revokeGrant(id: string, options: Options): Promise<void> {
  const result = await withOwnerApi(options, (api) =>
    api.request('POST', `/v1/owner/grants/${encodeURIComponent(id)}/revoke`),
  )
  if (options.json) printJson(result)
  else printLine(`Revoked ${id}. Its token no longer works.`)
}
