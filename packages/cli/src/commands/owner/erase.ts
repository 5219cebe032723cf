import { parseResultId } from '@pdpp/protocol'
import { type OwnerApi, type ServerRefusal, withOwnerApi } from '../../provider/owner-api.ts'
import { canAsk, confirm } from '../../terminal/ask.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { Cancelled, CommandFailure, UsageError } from '../../terminal/failure.ts'
import { printJson, printLine, safe } from '../../terminal/output.ts'
import { withProgress } from '../../terminal/progress.ts'

interface EraseOptions {
  dataDir?: string
  json?: boolean
  yes?: boolean
  connection?: string
  stream?: string
}

interface Target {
  connection_id: string
  stream?: string
  record_id?: string
}

interface Erased {
  records_erased: number
  /** Places where the store may still contain the erased data. */
  remains?: string[]
}

export async function erase(record: string | undefined, options: EraseOptions): Promise<void> {
  const target = targetOf(record, options)
  if (!options.yes && !canAsk())
    throw new UsageError(
      'Erasing cannot be undone, and there is no terminal to ask you.',
      'To erase without a question, add --yes.',
    )
  await withOwnerApi(options, async (api) => {
    const what = await describe(api, target)
    if (!options.yes && !(await confirm(`Erase ${what}? This cannot be undone.`, false)))
      throw new Cancelled('Nothing was erased.')
    const erased = await withProgress('Erasing and rewriting the files', () =>
      api.request<Erased>('POST', '/v1/owner/erase', target),
    )
    if (options.json) return printJson(erased)
    printLine(`Erased ${what}.`)
    const files = erased.remains ? '' : ' and the files'
    const places = erased.remains ? 'records, history and search' : 'records, history, search'
    printLine(`It is gone from ${places}${files}. Receipts only show that something was read.`)
    if (erased.remains) printLine(`PostgreSQL may still have it in: ${erased.remains.join('; ')}.`)
    if (target.record_id !== undefined)
      printLine('Its key stays, so that agents that follow changes learn of the deletion.')
    printLine('Backups, exports and copies made by clients are not erased.')
  })
}

function targetOf(record: string | undefined, { connection, stream }: EraseOptions): Target {
  if (record !== undefined) {
    if (connection !== undefined || stream !== undefined)
      throw new UsageError('Name either a record or --connection and --stream, not both.')
    const { connectionId, stream: name, recordKey } = parseResultId(record)
    if (connectionId === undefined)
      throw new UsageError('Name the record with its connection: connection/stream:key, as reads show it.')
    return { connection_id: connectionId, stream: name, record_id: recordKey }
  }
  if (connection === undefined)
    throw new UsageError(
      'Say what to erase.',
      'Name a record as connection/stream:key, or use --connection <id>, with --stream <name> for one stream.',
    )
  return { connection_id: connection, ...(stream === undefined ? {} : { stream }) }
}

interface StreamRow {
  name: string
  record_count: number
}

/** Describes what would be erased, with counts. Fails if the server does not have it. */
async function describe(api: OwnerApi, { connection_id: connection, stream, record_id: record }: Target) {
  if (record !== undefined) return `the record ${safe(record)} of ${safe(stream!)} in ${safe(connection)}`
  const params = new URLSearchParams({ connection_id: connection })
  const { data } = await api.request<{ data: StreamRow[] }>('GET', `/v1/streams?${params}`).catch((error) => {
    // The message of a read speaks to an agent.
    throw (error as ServerRefusal).code === 'connection_not_found' ? noConnection(connection) : error
  })
  const count = data
    .filter(({ name }) => stream === undefined || name === stream)
    .reduce((sum, row) => sum + row.record_count, 0)
  const records = `${count.toLocaleString('en')} record(s)`
  if (stream !== undefined) return `${records} of ${safe(stream)} in ${safe(connection)}`
  return `the connection ${safe(connection)} with ${records}`
}

const noConnection = (connection: string): CommandFailure =>
  new CommandFailure(
    EXIT.notFound,
    `There is no connection "${safe(connection)}".`,
    '`pdpp owner connection list` lists them.',
  )
