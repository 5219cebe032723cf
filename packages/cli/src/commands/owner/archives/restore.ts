import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import {
  BLOB_FOLDER,
  blobPath,
  checkSnapshot,
  lockDataDirectory,
  prepareDataDirectory,
  readConfig,
  SNAPSHOT_FILES,
  StartupError,
} from '@pdpp/server/offline'
import { unseal } from '../../../archive/encrypted-stream.ts'
import { blobOf } from '../../../archive/export-manifest.ts'
import { tidyWhenInterrupted } from '../../../archive/new-file.ts'
import { readTar, type TarFile } from '../../../archive/tar.ts'
import { EXIT } from '../../../terminal/exit-codes.ts'
import { CommandFailure } from '../../../terminal/failure.ts'
import { printJson, printLine } from '../../../terminal/output.ts'
import { withProgress } from '../../../terminal/progress.ts'
import { readSecret } from '../../../terminal/secret-input.ts'
import { BACKUP_VERSION, MANIFEST } from './backup.ts'

const MANIFEST_BYTES = 65_536
const STAGE = '.restoring'

/** Puts a backup into a data directory without data. Everything is decrypted and checked before any of it counts. */
export async function restore(file: string, options: { dataDir?: string; json?: boolean }): Promise<void> {
  requireFile(file)
  const { dataDir } = readConfig(options)
  requireEmpty(dataDir)
  const passphrase = await readSecret('Passphrase of the backup: ')
  prepareDataDirectory(dataDir)
  const lock = lockDataDirectory(dataDir)
  const stage = join(dataDir, STAGE)
  const tidy = () => {
    rmSync(stage, { recursive: true, force: true })
    lock.release()
  }
  process.once('exit', tidy)
  try {
    rmSync(stage, { recursive: true, force: true })
    mkdirSync(stage, { mode: 0o700 })
    const createdAt = await tidyWhenInterrupted(() =>
      withProgress('Decrypting and checking', () => unpack(file, passphrase, stage)),
    )
    requireEmpty(dataDir)
    if (existsSync(join(stage, BLOB_FOLDER))) renameSync(join(stage, BLOB_FOLDER), join(dataDir, BLOB_FOLDER))
    // The main database comes last: without it a directory counts as incomplete.
    for (const name of SNAPSHOT_FILES) renameSync(join(stage, name), join(dataDir, name))
    tell(createdAt, dataDir, options.json)
  } finally {
    process.off('exit', tidy)
    tidy()
  }
}

function tell(createdAt: string, dataDir: string, json: boolean | undefined): void {
  if (json) {
    printJson({ data_dir: dataDir, created_at: createdAt })
    return
  }
  printLine(`Restored to ${dataDir}: everything as it was on ${createdAt}.`)
  printLine('That goes for grants too: look at `pdpp owner grant list`, and end again what you had ended since.')
}

function requireFile(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new CommandFailure(EXIT.notFound, `There is no file ${file}.`, 'Check the path of the backup.')
}

/** What a server that stopped, or a restore that was cut off, may leave. */
const OF_NO_ACCOUNT = new Set(['server.lock', 'server.json', STAGE])

function requireEmpty(dataDir: string): void {
  if (!statSync(dataDir, { throwIfNoEntry: false })) return
  const found = readdirSync(dataDir).filter((name) => !OF_NO_ACCOUNT.has(name))
  if (found.length === 0) return
  throw new CommandFailure(
    EXIT.usage,
    `${dataDir} is not empty, and nothing is overwritten.`,
    'Stop the server and move its data directory away, or name another with --data-dir.',
  )
}

async function unpack(file: string, passphrase: string, stage: string): Promise<string> {
  const found = new Set<string>()
  let createdAt = ''
  try {
    await pipeline(
      createReadStream(file),
      (sealed) => unseal(sealed, passphrase),
      createGunzip(),
      async (plain) => {
        for await (const entry of readTar(plain)) {
          const { name, size, bytes } = entry
          if (name === MANIFEST && size <= MANIFEST_BYTES) createdAt = await readManifest(bytes)
          else if ((SNAPSHOT_FILES as readonly string[]).includes(name) && !found.has(name)) {
            await pipeline(bytes, createWriteStream(join(stage, name), { flags: 'wx', mode: 0o600 }))
            found.add(name)
          } else if (blobOf(name) !== undefined) await unpackBlob(entry, stage)
          else throw new Error(`it holds ${name}, which is no part of a backup`)
        }
        // To the very end: the last chunk says that nothing was cut off.
        for await (const _rest of plain);
      },
    )
    if (found.size !== SNAPSHOT_FILES.length || createdAt === '') throw new Error('a part of it is missing')
    checkSnapshot(stage)
  } catch (error) {
    throw refusal(file, error as NodeJS.ErrnoException)
  }
  return createdAt
}

async function unpackBlob({ name, bytes }: TarFile, stage: string): Promise<void> {
  const sha256 = blobOf(name)!
  const path = join(stage, BLOB_FOLDER, blobPath(sha256))
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const counted = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const piece of source) {
      hash.update(piece)
      yield piece
    }
  }
  await pipeline(bytes, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  if (hash.digest('hex') !== sha256) throw new Error(`${name} is not what its name says`)
}

async function readManifest(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  const { format, version, created_at: at } = JSON.parse(Buffer.concat(pieces).toString('utf8'))
  if (format !== 'pdpp-backup' || !Object.values<number>(BACKUP_VERSION).includes(version) || typeof at !== 'string')
    throw new Error('it was made by a newer version of pdpp')
  return at
}

function refusal(file: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof StartupError || error.code === 'ENOSPC' || error.code === 'EACCES')
    return new CommandFailure(EXIT.other, `${file} was not restored: ${error.message}`, 'Nothing was put in place.')
  const reason = error.name === 'SealError' ? error.message : `It is damaged: ${error.message}.`
  return new CommandFailure(
    EXIT.usage,
    `${file} cannot be restored. ${reason}`,
    'Nothing was put in place. Try the passphrase again, or another copy of the backup.',
  )
}
