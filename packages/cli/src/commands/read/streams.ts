import { grouped, rowsOf, shortTime } from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import type { ConnectionOptions } from '../../provider/connected.ts'
import { openReader } from '../../provider/reader.ts'
import { UsageError } from '../../terminal/failure.ts'
import { printJson, printNote, printTable } from '../../terminal/output.ts'
import { withProgress } from '../../terminal/progress.ts'
import { parameters, splitWords } from './arguments.ts'
import type { PrintOptions } from './paging.ts'

interface StreamsOptions extends ConnectionOptions, PrintOptions {
  connection?: string
  connector?: string
}

/** GET /v1/streams */
export async function readStreams(words: string[], options: StreamsOptions): Promise<void> {
  const { provider, rest } = splitWords(words)
  if (rest.length > 0)
    throw new UsageError(
      `This command takes no argument "${rest.join(' ')}".`,
      'For one stream: pdpp read schema <stream>. For one connection: --connection <id>.',
    )
  const reader = openReader(provider, options)
  const query = parameters({ connection_id: options.connection, connector_id: options.connector })
  const body = await withProgress('Reading streams', () => reader.get('/v1/streams', query))
  if (options.json) return printJson(options.data ? body['data'] : body)
  const rows = rowsOf(body)
  if (rows.length === 0) return printNote("You can't read any stream.")
  printTable(
    ['STREAM', 'RECORDS', 'CONNECTION', 'SOURCE', 'LAST CHANGED'],
    rows.map((row) => [
      String(row['name']),
      typeof row['record_count'] === 'number' ? grouped(row['record_count']).padStart(9) : '',
      String(row['connection_id'] ?? ''),
      String(row['display_name'] ?? row['connector_key'] ?? row['connector_id'] ?? ''),
      typeof row['last_updated'] === 'string' ? shortTime(row['last_updated']) : '',
    ]),
  )
  printNote(`Show the fields of a stream: ${commandLine(reader.command('read', 'schema', String(rows[0]!['name'])))}`)
}
