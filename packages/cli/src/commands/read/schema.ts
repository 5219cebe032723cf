import type { ConnectionOptions } from '../../provider/connected.ts'
import { openReader } from '../../provider/reader.ts'
import { UsageError } from '../../terminal/failure.ts'
import { printJson } from '../../terminal/output.ts'
import { withProgress } from '../../terminal/progress.ts'
import { parameters, splitWords } from './arguments.ts'
import type { PrintOptions } from './paging.ts'
import { printIndex, printStream } from './schema-text.ts'
import { wholeSchema } from './whole-schema.ts'

interface SchemaOptions extends ConnectionOptions, PrintOptions {
  connection?: string
  connector?: string
  stream?: string
  view?: string
  full?: boolean
}

/** GET /v1/schema */
export async function readSchema(words: string[], options: SchemaOptions): Promise<void> {
  const { provider, rest } = splitWords(words)
  const stream = options.stream ?? rest[0]
  if (rest.length > 1) throw new UsageError('Name only one stream.')
  const reader = openReader(provider, options)
  const query = parameters({
    view: options.full ? undefined : (options.view ?? 'compact'),
    detail: options.full && stream !== undefined ? 'full' : undefined,
    stream,
    connection_id: options.connection,
    connector_id: options.connector,
  })
  const body = await withProgress('Reading the schema', () => wholeSchema(reader, query))
  if (options.json || options.full) return printJson(body)
  if (stream === undefined) printIndex(body, reader)
  else printStream(body, stream, reader, options)
}
