import { type OwnerCommandOptions, withOwnerApi } from '../../provider/owner-api.ts'
import { bold, printHint, printJson, printLine, printTable, safe } from '../../terminal/output.ts'
import { printMore } from './more-hint.ts'

interface OwnerPackage {
  package_id: string
  status: string
  client: { client_id: string; client_display?: { name: string } }
  revoked_at: string | null
  last_used_at: string | null
  members: {
    grant_id: string
    status: string
    connector_key: string
    connection_ids: string[]
    streams: string[]
    last_used_at: string | null
  }[]
}

interface Created {
  access_token: string
  package: OwnerPackage
}

interface PackageList {
  data: OwnerPackage[]
  next_cursor?: string
}

export async function createPackage(
  options: OwnerCommandOptions & { grant: string[]; client?: string },
): Promise<void> {
  const body = { grants: options.grant, client_name: options.client }
  const created = await withOwnerApi(options, (api) => api.request<Created>('POST', '/v1/owner/packages', body))
  if (options.json) return printJson(created)
  describe(created.package)
  printLine()
  printLine(`${bold('Token')} (shown once)`)
  printLine(created.access_token)
}

export async function listPackages(options: OwnerCommandOptions & { limit: string; cursor?: string }): Promise<void> {
  const params = new URLSearchParams({
    limit: options.limit,
    ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
  })
  const list = await withOwnerApi(options, (api) => api.request<PackageList>('GET', `/v1/owner/packages?${params}`))
  if (options.json) return printJson(list)
  if (list.data.length === 0)
    return printHint('No packages. `pdpp owner package create` makes one from several grants.')
  const rows = list.data.map((found) => [
    found.package_id,
    found.status,
    clientName(found),
    [...new Set(found.members.map((member) => member.connector_key))].join(' '),
    found.last_used_at ?? 'never',
  ])
  printTable(['PACKAGE', 'STATUS', 'CLIENT', 'SOURCES', 'LAST USED'], rows)
  printMore('package', options, list.next_cursor)
}

export async function showPackage(id: string, options: OwnerCommandOptions): Promise<void> {
  const found = await withOwnerApi(options, (api) =>
    api.request<OwnerPackage>('GET', `/v1/owner/packages/${encodeURIComponent(id)}`),
  )
  if (options.json) printJson(found)
  else describe(found)
}

export async function revokePackage(id: string, options: OwnerCommandOptions): Promise<void> {
  const result = await withOwnerApi(options, (api) =>
    api.request<{ grants_revoked: string[] }>('POST', `/v1/owner/packages/${encodeURIComponent(id)}/revoke`),
  )
  if (options.json) return printJson(result)
  printLine(`Revoked ${id}. Its token no longer works.`)
  for (const grantId of result.grants_revoked) printLine(`Revoked ${grantId}.`)
}

export async function pausePackage(id: string, options: OwnerCommandOptions): Promise<void> {
  const result = await changed(id, 'pause', options)
  if (options.json) printJson(result)
  else printHint(`Paused ${id}. Its token is refused until \`pdpp owner package resume ${id}\`.`)
}

export async function resumePackage(id: string, options: OwnerCommandOptions): Promise<void> {
  const result = await changed(id, 'resume', options)
  if (options.json) printJson(result)
  else printLine(`Resumed ${id}. Its token works again.`)
}

const changed = (id: string, change: 'pause' | 'resume', options: OwnerCommandOptions): Promise<OwnerPackage> =>
  withOwnerApi(options, (api) => api.request('POST', `/v1/owner/packages/${encodeURIComponent(id)}/${change}`))

function describe(found: OwnerPackage): void {
  printLine(`${bold('Package')}      ${found.package_id}`)
  printLine(`Status       ${found.status}${found.revoked_at ? ` since ${found.revoked_at}` : ''}`)
  printLine(`Client       ${safe(clientName(found))}`)
  printLine(`Last used    ${found.last_used_at ?? 'never'}`)
  printLine()
  const rows = found.members.map((member) => [
    member.grant_id,
    member.status,
    `${member.connector_key} (${member.connection_ids.join(', ')})`,
    member.streams.join(' '),
    member.last_used_at ?? 'never',
  ])
  printTable(['GRANT', 'STATUS', 'SOURCE', 'STREAMS', 'LAST USED'], rows)
}

function clientName({ client }: OwnerPackage): string {
  return client.client_display?.name ?? client.client_id
}
