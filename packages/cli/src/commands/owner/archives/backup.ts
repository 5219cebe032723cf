import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openAdmin, openSnapshot, readConfig, SNAPSHOT_FILES, type Snapshot } from '@pdpp/server/offline'
import { isStandardOutput, writeArchive } from '../../../archive/destination.ts'
import { seal } from '../../../archive/encrypted-stream.ts'
import { blobFile } from '../../../archive/export-manifest.ts'
import { tidyWhenInterrupted } from '../../../archive/new-file.ts'
import { packed } from '../../../archive/packed.ts'
import type { TarFile } from '../../../archive/tar.ts'
import type { OwnerCommandOptions } from '../../../provider/owner-api.ts'
import { requireData } from '../../../provider/require-data.ts'
import { UsageError } from '../../../terminal/failure.ts'
import { printJson, printLine, printNote } from '../../../terminal/output.ts'
import { type Progress, withProgress } from '../../../terminal/progress.ts'
import { readSecret } from '../../../terminal/secret-input.ts'
import { noteArchive } from './note-archive.ts'
import { requireOwnBackups } from './own-backups.ts'

const MIN_PASSPHRASE_CHARS = 12
export const MANIFEST = 'backup.json'
export const BACKUP_VERSION = { plain: 1, withBlobs: 2 } as const

/** Writes all data, as it is now, into one encrypted file. */
export async function backup(file: string, options: OwnerCommandOptions): Promise<void> {
  const config = readConfig(options)
  const { dataDir } = config
  const admin = await openAdmin(config)
  requireOwnBackups(admin)
  await requireData(admin, config)
  const passphrase = await newPassphrase()
  const at = new Date()
  const bytes = await tidyWhenInterrupted(() =>
    withProgress('Copying the databases', (progress) =>
      // The first bytes are sent before the databases are copied, so that a waiting reader sees progress.
      writeArchive(file, (to) => pipeline(seal(packed(filesOf(dataDir, at, progress), at), passphrase), to)),
    ),
  )
  if (isStandardOutput(file)) return
  await noteArchive('backup', { bytes, at }, options)
  if (options.json) return printJson({ file, bytes, created_at: at.toISOString() })
  printLine(`Backed up to ${file} (${bytes.toLocaleString('en')} bytes).`)
  printLine('Nobody can read it without the passphrase, not even you.')
}

async function* filesOf(dataDir: string, at: Date, progress: Progress): AsyncGenerator<TarFile> {
  const snapshot = await openSnapshot(dataDir)
  try {
    progress.say('Encrypting')
    if (snapshot.missingBlobs > 0)
      printNote(`${snapshot.missingBlobs} file(s) are missing on the disk, so the backup does not contain them.`)
    yield* snapshotFiles(snapshot, at)
  } finally {
    snapshot.remove()
  }
}

function* snapshotFiles({ copy, blobs }: Snapshot, at: Date): Generator<TarFile> {
  // Without blobs, an older program can restore the backup.
  const version = blobs.length === 0 ? BACKUP_VERSION.plain : BACKUP_VERSION.withBlobs
  const manifest = Buffer.from(`${JSON.stringify({ format: 'pdpp-backup', version, created_at: at.toISOString() })}\n`)
  yield { name: MANIFEST, size: manifest.length, bytes: once(manifest) }
  for (const name of SNAPSHOT_FILES) {
    const path = join(copy, name)
    yield { name, size: statSync(path).size, bytes: createReadStream(path) }
  }
  for (const { sha256, sizeBytes, path } of blobs)
    yield { name: blobFile(sha256), size: sizeBytes, bytes: createReadStream(path) }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function newPassphrase(): Promise<string> {
  const passphrase = await readSecret('Passphrase for the backup: ')
  if ([...passphrase].length < MIN_PASSPHRASE_CHARS)
    throw new UsageError(
      `The passphrase must have at least ${MIN_PASSPHRASE_CHARS} characters.`,
      'Type it when asked, or pipe it into standard input.',
    )
  if (process.stdin.isTTY && passphrase !== (await readSecret('Repeat it: ')))
    throw new UsageError('The two passphrases differ. Nothing was written.')
  return passphrase
}
