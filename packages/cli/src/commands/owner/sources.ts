import type { DeclarationWarning } from '@pdpp/protocol'
import { type OwnerCommandOptions, withOwnerApi } from '../../provider/owner-api.ts'
import { bold, printHint, printJson, printLine, printTable, safe } from '../../terminal/output.ts'

interface Connector {
  connector_key: string
  display_name: string
  declaration_version: string
  sensitivity: string
  source: { id: string }
  connection_count: number
  streams: { name: string; record_count: number }[]
}

export async function listSources(options: OwnerCommandOptions): Promise<void> {
  const list = await withOwnerApi(options, (api) => api.request<{ data: Connector[] }>('GET', '/v1/connectors'))
  if (options.json) return printJson(list)
  if (list.data.length === 0) return printHint('No sources yet. `pdpp import <file>` adds the first one.')
  const rows = list.data.map((source) => [
    source.connector_key,
    source.display_name,
    source.declaration_version,
    String(source.connection_count),
    source.streams.map((stream) => stream.name).join(' '),
    String(source.streams.reduce((sum, stream) => sum + stream.record_count, 0)),
  ])
  printTable(['SOURCE', 'NAME', 'VERSION', 'CONNECTIONS', 'STREAMS', 'RECORDS'], rows)
}

interface Declared {
  connector_key: string
  declaration_version: string
  sensitivity: string
  source: { id: string }
  display: { name: string; description?: string }
  streams: { name: string; semantics?: string; consent_time_field?: string | null }[]
}

interface StreamRow {
  name: string
  connection_id: string
  display_name?: string
  record_count: number
  last_updated: string | null
}

/** With --json, prints the declaration as `POST /connectors` takes it. */
export async function showSource(key: string, options: OwnerCommandOptions): Promise<void> {
  await withOwnerApi(options, async (api) => {
    const declared = await api.request<Declared>('GET', `/connectors/${encodeURIComponent(key)}`)
    if (options.json) return printJson(declared)
    const params = new URLSearchParams({ connector_id: declared.connector_key })
    const { data } = await api.request<{ data: StreamRow[] }>('GET', `/v1/streams?${params}`)
    printLine(`Source       ${bold(safe(declared.connector_key))}`)
    printLine(`Name         ${safe(declared.display.name)}`)
    printLine(`Declared by  ${safe(declared.source.id)}`)
    printLine(`Version      ${safe(declared.declaration_version)}`)
    printLine(`Sensitivity  ${safe(declared.sensitivity)}`)
    printLine()
    const rows = declared.streams.flatMap((stream) => {
      const present = data.filter((row) => row.name === stream.name)
      if (present.length === 0) return [[stream.name, '-', '0', stream.consent_time_field ?? '-', '-']]
      return present.map((row) => [
        stream.name,
        row.connection_id,
        String(row.record_count),
        stream.consent_time_field ?? '-',
        row.last_updated ?? 'never',
      ])
    })
    printTable(['STREAM', 'CONNECTION', 'RECORDS', 'TIME FIELD', 'LAST CHANGED'], rows)
    const path = `/connectors/${encodeURIComponent(declared.connector_key)}/warnings`
    const { data: warnings } = await api.request<{ data: DeclarationWarning[] }>('GET', path)
    if (warnings.length === 0) return
    printLine()
    printLine('Warnings about the declaration:')
    for (const { code, path: at, message } of warnings) printLine(`  ${safe(`${at}: ${message} (${code})`)}`)
  })
}
