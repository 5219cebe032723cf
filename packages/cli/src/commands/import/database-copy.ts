import {
  closeSync,
  constants,
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const WRITE_AHEAD = 2
const MODE_OFFSET = 18

const folders = new Set<string>()

/**
 * A path at which a database can be opened while nothing is left beside the owner's file. SQLite makes files of its own
 * next to one in write-ahead mode, even for reading, so such a database is read from a copy.
 */
export function databasePath(file: string): string {
  const isLive = existsSync(`${file}-wal`) && existsSync(`${file}-shm`)
  // Of a program that runs, what SQLite would make is there already, and a copy could be torn.
  if (isLive || modeOf(file) !== WRITE_AHEAD) return file
  const copy = join(newFolder(), 'database')
  copyFileSync(file, copy, constants.COPYFILE_FICLONE)
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`)
  return copy
}

/** A database out of an archive. */
export async function unpackedDatabase(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const copy = join(newFolder(), 'database')
  await pipeline(Readable.from(bytes), createWriteStream(copy, { mode: 0o600 }))
  return copy
}

/** Copies last as long as the import that needs them. */
export function removeCopies(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  folders.clear()
}

function newFolder(): string {
  if (folders.size === 0) process.once('exit', removeCopies)
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-import-'))
  folders.add(folder)
  return folder
}

function modeOf(file: string): number | undefined {
  const descriptor = openSync(file, 'r')
  try {
    const header = Buffer.alloc(MODE_OFFSET + 1)
    return readSync(descriptor, header, 0, header.length, 0) === header.length ? header[MODE_OFFSET] : undefined
  } finally {
    closeSync(descriptor)
  }
}
