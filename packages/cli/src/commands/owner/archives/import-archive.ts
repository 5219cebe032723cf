import { statSync } from 'node:fs'
import { canonicalJson, type IngestReply } from '@pdpp/protocol'
import { eachFile, textOf, verifyExport } from '../../../archive/export-file.ts'
import { BLOBS, blobOf, CONNECTIONS, recordsOf } from '../../../archive/export-manifest.ts'
import { linesOf } from '../../../archive/line-splitter.ts'
import type { TarFile } from '../../../archive/tar.ts'
import { type OwnerApi, ServerRefusal, withOwnerApi } from '../../../provider/owner-api.ts'
import { EXIT } from '../../../terminal/exit-codes.ts'
import { CommandFailure } from '../../../terminal/failure.ts'
import { printJson, printLine, safe } from '../../../terminal/output.ts'
import { withProgress } from '../../../terminal/progress.ts'
import { ArchivedBlobs } from './archived-blobs.ts'

const DECLARATION_BYTES = 4_194_304
const BATCH_CHARS = 1_048_576
const SHOWN = 5

interface Taken {
  sources: number
  connections: number
  blobs: number
  records: number
  unchanged: number
  rejected: number
  problems: string[]
}

/** Takes in an export: sources, connections and records. Checked as a whole before anything is written. */
export async function importArchive(file: string, options: { dataDir?: string; json?: boolean }): Promise<void> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new CommandFailure(EXIT.notFound, `There is no file ${file}.`, 'Check the path of the export.')
  const taken: Taken = { sources: 0, connections: 0, blobs: 0, records: 0, unchanged: 0, rejected: 0, problems: [] }
  await withProgress('Checking the archive', async (progress) => {
    await verifyExport(file)
    await withOwnerApi(options, async (api) => {
      await eachFile(file, (entry) => refuseOtherDeclaration(api, entry))
      const blobs = new ArchivedBlobs(api)
      await eachFile(file, (entry) => {
        progress.say(`Importing ${entry.name}`)
        return takeIn(api, entry, taken, blobs)
      })
    })
  })
  const { problems, ...counts } = taken
  if (options.json) printJson({ ...counts, problems })
  else {
    printLine(
      `Took in ${taken.records.toLocaleString('en')} records (${taken.unchanged.toLocaleString('en')} were there already) in ${taken.connections} connection(s) of ${taken.sources} source(s).`,
    )
    if (taken.blobs > 0) printLine(`And ${taken.blobs.toLocaleString('en')} files that they refer to.`)
    printLine('Grants and receipts of the export are for reading: give access anew where you want it.')
  }
  if (taken.rejected === 0) return
  throw new CommandFailure(
    EXIT.other,
    `${taken.rejected} record(s) were refused: ${problems.map(safe).join('; ')}`,
    'The rest is taken in. The same command again changes nothing that is there.',
  )
}

/** A source that has moved on here must not be set back by an old export. */
async function refuseOtherDeclaration(api: OwnerApi, entry: TarFile): Promise<void> {
  if (!entry.name.startsWith('sources/')) return
  const declaration = JSON.parse(await textOf(entry, DECLARATION_BYTES)) as { connector_key: string }
  const present = await found(() => api.request('GET', `/connectors/${encodeURIComponent(declaration.connector_key)}`))
  if (present === undefined || canonicalJson(present) === canonicalJson(declaration)) return
  throw new CommandFailure(
    EXIT.usage,
    `The source "${safe(declaration.connector_key)}" is declared here already, and differently. Nothing was taken in.`,
    'Import into an empty data directory: name one with --data-dir.',
  )
}

async function found<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServerRefusal && error.status === 404) return
    throw error
  }
}

async function takeIn(api: OwnerApi, entry: TarFile, taken: Taken, blobs: ArchivedBlobs): Promise<void> {
  if (entry.name.startsWith('sources/')) {
    await api.request('POST', '/connectors', JSON.parse(await textOf(entry, DECLARATION_BYTES)))
    taken.sources++
  } else if (entry.name === CONNECTIONS) await takeConnections(api, entry, taken)
  else if (entry.name === BLOBS) await blobs.list(entry)
  else if (blobOf(entry.name) !== undefined) taken.blobs += await blobs.take(entry)
  else if (recordsOf(entry.name)) await takeRecords(api, entry, taken)
}

async function takeConnections(api: OwnerApi, entry: TarFile, taken: Taken): Promise<void> {
  const present = await api.request<{ data: { connection_id: string; connector_key: string }[] }>(
    'GET',
    '/v1/owner/connections',
  )
  const known = new Map(present.data.map((row) => [row.connection_id, row.connector_key]))
  for await (const line of linesOf(entry.bytes)) {
    const { display_name: name, ...connection } = JSON.parse(line)
    // One that is there stays as it is; under another source the server says that its id is taken.
    if (known.get(connection.connection_id) !== connection.connector_key)
      await api.request('POST', '/v1/owner/connections', {
        ...connection,
        ...(name === null ? {} : { display_name: name }),
      })
    taken.connections++
  }
}

async function takeRecords(api: OwnerApi, entry: TarFile, taken: Taken): Promise<void> {
  const { connectionId, stream } = recordsOf(entry.name)!
  const params = new URLSearchParams({ connection_id: connectionId })
  const path = `/v1/ingest/${encodeURIComponent(stream)}?${params}`
  let [batch, chars]: [string[], number] = [[], 0]
  const send = async () => {
    const reply = await api.request<IngestReply>('POST', path, batch.join('\n'))
    ;[batch, chars] = [[], 0]
    taken.records += reply.records_accepted
    taken.unchanged += reply.records_unchanged
    taken.rejected += reply.records_rejected
    for (const { key, message } of reply.rejections)
      if (taken.problems.length < SHOWN) taken.problems.push(`${entry.name} ${key ?? ''}: ${message}`)
  }
  for await (const line of linesOf(entry.bytes)) {
    batch.push(line)
    chars += line.length
    if (chars >= BATCH_CHARS) await send()
  }
  await send()
}
