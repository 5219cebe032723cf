import { type OwnerCommandOptions, withOwnerApi } from '../../provider/owner-api.ts'
import { printHint, printJson, printTable } from '../../terminal/output.ts'

interface ConnectionList {
  data: { connection_id: string; connector_key: string; display_name: string | null }[]
}

export async function listConnections(options: OwnerCommandOptions): Promise<void> {
  const list = await withOwnerApi(options, (api) => api.request<ConnectionList>('GET', '/v1/owner/connections'))
  if (options.json) return printJson(list)
  if (list.data.length === 0)
    return printHint(
      'No sources yet. `pdpp import <file>` adds the first one, and `pdpp demo` loads demo data to look around.',
    )
  printTable(
    ['CONNECTION', 'SOURCE', 'NAME'],
    list.data.map((row) => [row.connection_id, row.connector_key, row.display_name ?? '']),
  )
}
