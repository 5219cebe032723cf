import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { blobId } from '@pdpp/protocol'
import { type ExportSource, OWNER, openAdmin, readConfig, type StorageAdmin, spoolFile } from '@pdpp/server/offline'
import { isStandardOutput, writeArchive } from '../../../archive/destination.ts'
import {
  BLOBS,
  blobFile,
  CONNECTIONS,
  EXPORT_FORMAT,
  EXPORT_MANIFEST,
  EXPORT_VERSION,
  type ExportManifest,
  recordsFile,
  sourceFile,
} from '../../../archive/export-manifest.ts'
import { tidyWhenInterrupted } from '../../../archive/new-file.ts'
import { packed } from '../../../archive/packed.ts'
import { Spool } from '../../../archive/spool.ts'
import type { TarFile } from '../../../archive/tar.ts'
import { type OwnerApi, type OwnerCommandOptions, withOwnerApi } from '../../../provider/owner-api.ts'
import { requireData } from '../../../provider/require-data.ts'
import { printJson, printLine, printNote } from '../../../terminal/output.ts'
import { type Progress, withProgress } from '../../../terminal/progress.ts'
import { noteArchive } from './note-archive.ts'

const PAGE_ROWS = 100

/** Writes all data as plain files, without tokens, passwords and keys. */
export async function exportData(file: string, options: OwnerCommandOptions): Promise<void> {
  const config = readConfig(options)
  const { dataDir } = config
  const admin = await openAdmin(config)
  await requireData(admin, config)
  const at = new Date()
  const spoolPath = join(dirname(file), `.${basename(file)}.${process.pid}.lines`)
  const spool = new Spool(isStandardOutput(file) ? spoolFile(dataDir) : spoolPath)
  const remove = () => spool.remove()
  process.once('exit', remove)
  try {
    const bytes = await tidyWhenInterrupted(() =>
      withProgress('Exporting', (progress) =>
        // Grants and receipts come from the server's routes. Opening the server also migrates old files.
        withOwnerApi(options, (api) =>
          writeArchive(file, (to) => pipeline(packed(filesOf(api, admin, spool, at, progress), at), to)),
        ),
      ),
    )
    if (isStandardOutput(file)) return
    await noteArchive('export', { bytes, at }, options)
    printResult(file, bytes, spool, at, options.json)
  } finally {
    remove()
    process.off('exit', remove)
  }
}

function printResult(file: string, bytes: number, spool: Spool, at: Date, json: boolean | undefined): void {
  const rows = (matching: RegExp) =>
    spool.files.filter(({ name }) => matching.test(name)).reduce((sum, { rows }) => sum + rows, 0)
  const [records, receipts, blobs] = [rows(/^records\//), rows(/^receipts\.jsonl$/), rows(/^blobs\.jsonl$/)]
  if (json) {
    printJson({ file, bytes, created_at: at.toISOString(), records, blobs, receipts })
    return
  }
  const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
  const files = blobs === 0 ? '' : `, ${count(blobs, 'file')}`
  printLine(
    `Exported ${count(records, 'record')}${files} and ${count(receipts, 'receipt')} to ${file} (${count(bytes, 'byte')}).`,
  )
  printLine('It is not encrypted: anyone who has the file can read all of it. It contains no tokens and no passwords.')
}

async function* filesOf(
  api: OwnerApi,
  admin: StorageAdmin,
  spool: Spool,
  at: Date,
  progress: Progress,
): AsyncGenerator<TarFile> {
  const source = await admin.openExport(OWNER)
  try {
    for (const declaration of source.declarations)
      yield await spool.take(sourceFile(declaration.connector_key), [`${JSON.stringify(declaration, null, 2)}\n`])
    yield await spool.take(CONNECTIONS, source.connections.map(toLine))
    yield* blobFiles(source, spool, progress)
    for (const { connectionId, stream, lines } of source.streams) {
      progress.say(`Exporting ${stream} of ${connectionId}`)
      yield await spool.take(recordsFile(connectionId, stream), lines())
    }
  } finally {
    await source.close()
  }
  for (const noun of ['clients', 'grants', 'packages', 'receipts']) {
    progress.say(`Exporting ${noun}`)
    yield await spool.take(`${noun}.jsonl`, everyRow(api, `/v1/owner/${noun}`))
  }
  const manifest: ExportManifest = {
    format: EXPORT_FORMAT,
    version: spool.files.some(({ name }) => name === BLOBS) ? EXPORT_VERSION.withBlobs : EXPORT_VERSION.plain,
    created_at: at.toISOString(),
    files: [...spool.files],
  }
  yield await spool.take(EXPORT_MANIFEST, [`${JSON.stringify(manifest, null, 2)}\n`])
}

/** Blobs come before the records, because an import needs the bytes first. */
async function* blobFiles(
  { blobs, missingBlobs }: ExportSource,
  spool: Spool,
  progress: Progress,
): AsyncGenerator<TarFile> {
  if (missingBlobs > 0)
    printNote(`The bytes of ${missingBlobs} file(s) are missing, so the export does not contain them.`)
  if (blobs.length === 0) return
  const rows = blobs.map(({ entry }) => ({ blob_id: blobId(entry.sha256), ...entry }))
  yield await spool.take(BLOBS, rows.map(toLine))
  progress.say(`Exporting ${blobs.length} files`)
  for (const { entry, bytes } of blobs)
    yield spool.pass(blobFile(entry.sha256), bytes(), entry.size_bytes, entry.sha256)
}

const toLine = (row: unknown): string => `${JSON.stringify(row)}\n`

async function* everyRow(api: OwnerApi, path: string): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const params = new URLSearchParams({ limit: String(PAGE_ROWS), ...(cursor === undefined ? {} : { cursor }) })
    const page = await api.request<{ data: unknown[]; next_cursor?: string }>('GET', `${path}?${params}`)
    for (const row of page.data) yield toLine(row)
    cursor = page.next_cursor
  } while (cursor !== undefined)
}
