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
import { quoted } from '@pdpp/mcp-server/hosts'
import {
  BLOB_FOLDER,
  blobPath,
  checkSnapshot,
  lockDataDirectory,
  openAdmin,
  prepareDataDirectory,
  readConfig,
  SNAPSHOT_FILES,
  StartupError,
} from '@pdpp/server/offline'
import { unseal } from '../../../archive/encrypted-stream.ts'
import { blobOf } from '../../../archive/export-manifest.ts'
import { tidyWhenInterrupted } from '../../../archive/new-file.ts'
import { readTar, type TarFile } from '../../../archive/tar.ts'
import type { OwnerCommandOptions } from '../../../provider/owner-api.ts'
import { EXIT } from '../../../terminal/exit-codes.ts'
import { CommandFailure } from '../../../terminal/failure.ts'
import { printJson, printLine } from '../../../terminal/output.ts'
import { withProgress } from '../../../terminal/progress.ts'
import { readSecret } from '../../../terminal/secret-input.ts'
import { typed } from '../../../terminal/typed.ts'
import { BACKUP_VERSION, MANIFEST } from './backup.ts'
import { requireOwnBackups } from './own-backups.ts'

const MAX_MANIFEST_BYTES = 65_536
const STAGE = '.restoring'

/** Restores a backup into an empty data directory. Decrypts and checks everything before moving it into place. */
export async function restore(file: string, options: OwnerCommandOptions): Promise<void> {
  requireFile(file)
  const config = readConfig(options)
  requireOwnBackups(await openAdmin(config))
  const { dataDir } = config
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
    // The main database comes last, because a directory without it counts as incomplete.
    for (const name of SNAPSHOT_FILES) renameSync(join(stage, name), join(dataDir, name))
    printResult(createdAt, dataDir, options.json)
  } finally {
    process.off('exit', tidy)
    tidy()
  }
}

function printResult(createdAt: string, dataDir: string, json: boolean | undefined): void {
  if (json) {
    printJson({ data_dir: dataDir, created_at: createdAt })
    return
  }
  printLine(`Restored everything to ${dataDir}, as it was on ${createdAt}.`)
  // Without the directory, the command could list the grants of another server.
  const list = `${typed('pdpp owner grant list')} --data-dir ${quoted(dataDir)}`
  printLine(`Grants are restored too. Check \`${list}\`, and revoke again what you revoked after the backup.`)
}

function requireFile(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new CommandFailure(EXIT.notFound, `There is no file ${file}.`, 'Check the path of the backup.')
}

/** Files that a stopped server or an interrupted restore may leave. */
const LEFTOVERS = new Set(['server.lock', 'server.json', STAGE])

function requireEmpty(dataDir: string): void {
  if (!statSync(dataDir, { throwIfNoEntry: false })) return
  const found = readdirSync(dataDir).filter((name) => !LEFTOVERS.has(name))
  if (found.length === 0) return
  throw new CommandFailure(
    EXIT.usage,
    `${dataDir} is not empty. Nothing was overwritten.`,
    'Stop the server and move the data directory away, or name another with --data-dir.',
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
          if (name === MANIFEST && size <= MAX_MANIFEST_BYTES) createdAt = await readManifest(bytes)
          else if ((SNAPSHOT_FILES as readonly string[]).includes(name) && !found.has(name)) {
            await pipeline(bytes, createWriteStream(join(stage, name), { flags: 'wx', mode: 0o600 }))
            found.add(name)
          } else if (blobOf(name) !== undefined) await unpackBlob(entry, stage)
          else throw new Error(`it contains ${name}, which does not belong in a backup`)
        }
        // Read to the end, because only the last chunk proves that the file is complete.
        for await (const _rest of plain);
      },
    )
    if (found.size !== SNAPSHOT_FILES.length || createdAt === '') throw new Error('a part is missing')
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
  const hashed = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const piece of source) {
      hash.update(piece)
      yield piece
    }
  }
  await pipeline(bytes, hashed, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  if (hash.digest('hex') !== sha256) throw new Error(`the content of ${name} does not match its name`)
}

async function readManifest(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  const { format, version, created_at: at } = JSON.parse(Buffer.concat(pieces).toString('utf8'))
  if (format !== 'pdpp-backup' || !Object.values<number>(BACKUP_VERSION).includes(version) || typeof at !== 'string')
    throw new Error('a newer version of pdpp made it')
  return at
}

function refusal(file: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof StartupError || error.code === 'ENOSPC' || error.code === 'EACCES')
    return new CommandFailure(EXIT.other, `Can't restore ${file}: ${error.message}`, 'Nothing was changed.')
  const reason = error.name === 'SealError' ? error.message : `The file is damaged: ${error.message}.`
  return new CommandFailure(
    EXIT.usage,
    `Can't restore ${file}. ${reason}`,
    'Nothing was changed. Try the passphrase again, or another copy of the backup.',
  )
}
