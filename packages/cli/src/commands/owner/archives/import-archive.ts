import { statSync } from 'node:fs'
import { canonicalJson, type IngestReply } from '@pdpp/protocol'
import { eachFile, textOf, verifyExport } from '../../../archive/export-file.ts'
import { BLOBS, blobOf, CONNECTIONS, recordsOf } from '../../../archive/export-manifest.ts'
import { linesOf } from '../../../archive/line-splitter.ts'
import type { TarFile } from '../../../archive/tar.ts'
import { type OwnerApi, type OwnerCommandOptions, ServerRefusal, withOwnerApi } from '../../../provider/owner-api.ts'
import { EXIT } from '../../../terminal/exit-codes.ts'
import { CommandFailure } from '../../../terminal/failure.ts'
import { printJson, printLine, safe } from '../../../terminal/output.ts'
import { withProgress } from '../../../terminal/progress.ts'
import { ArchivedBlobs } from './archived-blobs.ts'

const MAX_DECLARATION_BYTES = 4_194_304
const BATCH_CHARS = 1_048_576
const MAX_PROBLEMS = 5

interface ImportCounts {
  sources: number
  connections: number
  blobs: number
  records: number
  unchanged: number
  rejected: number
  problems: string[]
}

/** Imports the sources, connections, blobs and records of an export, after checking the whole file. */
export async function importArchive(file: string, options: OwnerCommandOptions): Promise<void> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new CommandFailure(EXIT.notFound, `There is no file ${file}.`, 'Check the path of the export.')
  const result: ImportCounts = {
    sources: 0,
    connections: 0,
    blobs: 0,
    records: 0,
    unchanged: 0,
    rejected: 0,
    problems: [],
  }
  await withProgress('Checking the archive', async (progress) => {
    await verifyExport(file)
    const importAll = async (api: OwnerApi) => {
      await eachFile(file, (entry) => refuseOtherDeclaration(api, entry))
      const blobs = new ArchivedBlobs(api)
      await eachFile(file, (entry) => {
        progress.say(`Importing ${entry.name}`)
        return importEntry(api, entry, result, blobs)
      })
    }
    await withOwnerApi(options, importAll, { creates: true })
  })
  const { problems, ...counts } = result
  if (options.json) printJson({ ...counts, problems })
  else {
    printLine(
      `Imported ${result.records.toLocaleString('en')} records (${result.unchanged.toLocaleString('en')} unchanged) in ${result.connections} connection(s) of ${result.sources} source(s).`,
    )
    if (result.blobs > 0) printLine(`Imported ${result.blobs.toLocaleString('en')} files that they refer to.`)
    printLine('Grants and receipts are not imported. Give access again where you want it.')
  }
  if (result.rejected === 0) return
  throw new CommandFailure(
    EXIT.other,
    `${result.rejected} record(s) were refused: ${problems.map(safe).join('; ')}`,
    'All other records are imported. You can safely run the command again.',
  )
}

/** Fails if a source is declared differently here, because an old export must not replace a newer declaration. */
async function refuseOtherDeclaration(api: OwnerApi, entry: TarFile): Promise<void> {
  if (!entry.name.startsWith('sources/')) return
  const declaration = JSON.parse(await textOf(entry, MAX_DECLARATION_BYTES)) as { connector_key: string }
  const present = await undefinedIfMissing(() =>
    api.request('GET', `/connectors/${encodeURIComponent(declaration.connector_key)}`),
  )
  if (present === undefined || canonicalJson(present) === canonicalJson(declaration)) return
  throw new CommandFailure(
    EXIT.usage,
    `The source "${safe(declaration.connector_key)}" already exists here with a different declaration. Nothing was imported.`,
    'Import into an empty data directory: name one with --data-dir.',
  )
}

async function undefinedIfMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServerRefusal && error.status === 404) return
    throw error
  }
}

async function importEntry(api: OwnerApi, entry: TarFile, result: ImportCounts, blobs: ArchivedBlobs): Promise<void> {
  if (entry.name.startsWith('sources/')) {
    await api.request('POST', '/connectors', JSON.parse(await textOf(entry, MAX_DECLARATION_BYTES)))
    result.sources++
  } else if (entry.name === CONNECTIONS) await importConnections(api, entry, result)
  else if (entry.name === BLOBS) await blobs.list(entry)
  else if (blobOf(entry.name) !== undefined) result.blobs += await blobs.take(entry)
  else if (recordsOf(entry.name)) await importRecords(api, entry, result)
}

async function importConnections(api: OwnerApi, entry: TarFile, result: ImportCounts): Promise<void> {
  const present = await api.request<{ data: { connection_id: string; connector_key: string }[] }>(
    'GET',
    '/v1/owner/connections',
  )
  const known = new Map(present.data.map((row) => [row.connection_id, row.connector_key]))
  for await (const line of linesOf(entry.bytes)) {
    const { display_name: name, ...connection } = JSON.parse(line)
    // Keeps an existing connection. If its id belongs to another source, the server refuses it.
    if (known.get(connection.connection_id) !== connection.connector_key)
      await api.request('POST', '/v1/owner/connections', {
        ...connection,
        ...(name === null ? {} : { display_name: name }),
      })
    result.connections++
  }
}

async function importRecords(api: OwnerApi, entry: TarFile, result: ImportCounts): Promise<void> {
  const { connectionId, stream } = recordsOf(entry.name)!
  const params = new URLSearchParams({ connection_id: connectionId })
  const path = `/v1/ingest/${encodeURIComponent(stream)}?${params}`
  let [batch, chars]: [string[], number] = [[], 0]
  const send = async () => {
    const reply = await api.request<IngestReply>('POST', path, batch.join('\n'))
    ;[batch, chars] = [[], 0]
    result.records += reply.records_accepted
    result.unchanged += reply.records_unchanged
    result.rejected += reply.records_rejected
    for (const { key, message } of reply.rejections)
      if (result.problems.length < MAX_PROBLEMS) result.problems.push(`${entry.name} ${key ?? ''}: ${message}`)
  }
  for await (const line of linesOf(entry.bytes)) {
    batch.push(line)
    chars += line.length
    if (chars >= BATCH_CHARS) await send()
  }
  await send()
}
