import { type OwnerCommandOptions, withOwnerApi } from '../../provider/owner-api.ts'
import { printJson, printLine, printTable, safe } from '../../terminal/output.ts'
import { printMore } from './more-hint.ts'

interface OwnerClient {
  client_id: string
  client_name: string | null
  kind: string
  verified_host: string | null
  redirect_uris: string[]
  active_grants: number
  full_access_until: string | null
  may_ask_full_access: boolean
  created_at: string | null
  last_used_at: string | null
}

interface ClientList {
  data: OwnerClient[]
  next_cursor?: string
}

export async function listClients(options: OwnerCommandOptions & { limit: string; cursor?: string }): Promise<void> {
  const params = new URLSearchParams({
    limit: options.limit,
    ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
  })
  const list = await withOwnerApi(options, (api) => api.request<ClientList>('GET', `/v1/owner/clients?${params}`))
  if (options.json) return printJson(list)
  if (list.data.length === 0) return printLine('No clients. Nobody has asked for access yet.')
  const rows = list.data.map((client) => [
    safe(client.client_id),
    safe(client.client_name ?? ''),
    client.verified_host === null ? 'unverified' : safe(client.verified_host),
    client.full_access_until === null ? String(client.active_grants) : 'FULL ACCESS',
    client.last_used_at ?? 'never',
  ])
  printTable(['CLIENT', 'NAME', 'HOST', 'GRANTS', 'LAST ALLOWED'], rows)
  printMore('client', options, list.next_cursor)
}

export async function showClient(id: string, options: OwnerCommandOptions): Promise<void> {
  const client = await withOwnerApi(options, (api) =>
    api.request<OwnerClient>('GET', `/v1/owner/clients/${encodeURIComponent(id)}`),
  )
  if (options.json) return printJson(client)
  printLine(`Client       ${safe(client.client_id)}`)
  printLine(`Name         ${safe(client.client_name ?? '(none)')}`)
  printLine(`Host         ${client.verified_host === null ? 'unverified' : safe(client.verified_host)}`)
  printLine(`Grants       ${client.active_grants} active`)
  if (client.full_access_until !== null) printLine(`Full access  until ${client.full_access_until}`)
  if (client.may_ask_full_access) printLine('May ask for  full access')
  printLine(`Last allowed ${client.last_used_at ?? 'never'}`)
  for (const uri of client.redirect_uris) printLine(`Returns to   ${safe(uri)}`)
}

export async function revokeClient(id: string, options: OwnerCommandOptions): Promise<void> {
  const result = await withOwnerApi(options, (api) =>
    api.request<{ grants: string[] }>('POST', `/v1/owner/clients/${encodeURIComponent(id)}/revoke`),
  )
  if (options.json) printJson(result)
  else printLine(`Revoked all access of ${safe(id)}: ${result.grants.length} grant(s). It can ask again.`)
}

export async function listForFullAccess(
  id: string,
  options: OwnerCommandOptions & { remove?: boolean },
): Promise<void> {
  const path = `/v1/owner/clients/${encodeURIComponent(id)}/full-access`
  const body = { may_ask: options.remove !== true }
  const client = await withOwnerApi(options, (api) => api.request<OwnerClient>('PUT', path, body))
  if (options.json) return printJson(client)
  printLine(
    client.may_ask_full_access
      ? `${safe(id)} can now ask for full access. It gets none until you allow it on the consent page.`
      : `${safe(id)} can no longer ask for full access. Access that it has keeps working. To end that: pdpp owner client revoke ${safe(id)}`,
  )
}
