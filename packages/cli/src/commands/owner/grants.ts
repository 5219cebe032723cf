import { type OwnerCommandOptions, withOwnerApi } from '../../provider/owner-api.ts'
import { bold, printJson, printLine, printTable } from '../../terminal/output.ts'
import { describeGrant, grantSentence, type WireGrant } from './grant-text.ts'
import { printMore } from './more-hint.ts'
import { sourceNames } from './source-names.ts'

interface OwnerGrant {
  grant_id: string
  status: 'active' | 'paused' | 'expired' | 'revoked'
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

export async function listGrants(options: OwnerCommandOptions & { limit: string; cursor?: string }): Promise<void> {
  const params = new URLSearchParams({
    limit: options.limit,
    ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
  })
  const { list, names } = await withOwnerApi(options, async (api) => ({
    list: await api.request<GrantList>('GET', `/v1/owner/grants?${params}`),
    names: options.json ? new Map() : await sourceNames(api),
  }))
  if (options.json) return printJson(list)
  if (list.data.length === 0) return printLine('Nobody has access. Only you can read your data.')
  const rows = list.data.map((found) => [
    found.grant.grant_id,
    found.status,
    found.last_used_at ?? 'never',
    grantSentence(found, names),
  ])
  printTable(['ACCESS', 'STATUS', 'LAST USED', 'WHAT'], rows)
  printMore('grant', options, list.next_cursor)
}

export async function showGrant(id: string, options: OwnerCommandOptions): Promise<void> {
  const { found, names } = await withOwnerApi(options, async (api) => ({
    found: await api.request<OwnerGrant>('GET', `/v1/owner/grants/${encodeURIComponent(id)}`),
    names: options.json ? new Map() : await sourceNames(api),
  }))
  if (options.json) return printJson(found)
  printLine(bold(grantSentence(found, names)))
  printLine()
  const since = found.revoked_at ?? found.paused_at
  printLine(`Status       ${found.status}${since ? ` since ${since}` : ''}`)
  if (found.replaced_by) printLine(`Replaced by  ${found.replaced_by}`)
  if (found.package_id) printLine(`Package      ${found.package_id}`)
  printLine(`Last used    ${found.last_used_at ?? 'never'}`)
  for (const line of describeGrant(found.grant)) printLine(line)
}

export async function revokeGrant(id: string, options: OwnerCommandOptions): Promise<void> {
  const result = await withOwnerApi(options, (api) =>
    api.request('POST', `/v1/owner/grants/${encodeURIComponent(id)}/revoke`),
  )
  if (options.json) printJson(result)
  else printLine(`Revoked ${id}. Its token no longer works.`)
}
