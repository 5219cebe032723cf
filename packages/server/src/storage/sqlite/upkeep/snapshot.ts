import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StartupError } from '../../../lib/startup-error.ts'
import { MAIN_MIGRATIONS, RECEIPT_MIGRATIONS } from '../engine/migrations/index.ts'
import { MAIN_FILE, RECEIPTS_FILE } from '../installation/file-check.ts'
import { adjustLastReceipts } from '../installation/installation.ts'
import { blobsOf, linkBlobs, type SnapshotBlob } from './snapshot-blobs.ts'

const PREFIX = '.snapshot-'
/** A temporary file of a command. If the command is killed, it is removed with the snapshots. */
export const spoolFile = (directory: string): string => join(directory, `${PREFIX}${process.pid}.lines`)
/** Receipts are copied first, so that the records are never older than the receipts that mention them. */
export const SNAPSHOT_FILES = [RECEIPTS_FILE, MAIN_FILE] as const

/**
 * A copy of both databases and their blobs, with or without a running server. It blocks no reads and contains no
 * deleted data. It exists until it is removed or the process ends.
 */
export async function openSnapshot(directory: string): Promise<Snapshot> {
  removeLeftSnapshots(directory)
  const copy = join(directory, `${PREFIX}${process.pid}`)
  const drop = () => rmSync(copy, { recursive: true, force: true })
  const remove = () => {
    process.off('exit', drop)
    drop()
  }
  drop()
  mkdirSync(copy, { mode: 0o700 })
  process.once('exit', drop)
  try {
    await linkBlobs(directory, copy)
    for (const name of SNAPSHOT_FILES) copyDatabase(join(directory, name), join(copy, name))
    adjustLastReceipts(copy)
    const { blobs, missing } = await blobsOf(directory, copy)
    return { copy, blobs, missingBlobs: missing, remove }
  } catch (error) {
    remove()
    throw error
  }
}

export interface Snapshot {
  /** The folder of the copied databases. */
  readonly copy: string
  readonly blobs: readonly SnapshotBlob[]
  /** Number of blobs that the database refers to and the disk does not have. */
  readonly missingBlobs: number
  remove(): void
}

export const hasDatabase = (directory: string): boolean => existsSync(join(directory, MAIN_FILE))

/** Removes copies that a killed process left behind. */
export function removeLeftSnapshots(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(PREFIX) || isAlive(Number.parseInt(name.slice(PREFIX.length), 10))) continue
    rmSync(join(directory, name), { recursive: true, force: true })
  }
}

/** Throws unless both databases are intact and of a known format. */
export function checkSnapshot(copy: string): void {
  const known = { [MAIN_FILE]: MAIN_MIGRATIONS.length, [RECEIPTS_FILE]: RECEIPT_MIGRATIONS.length }
  for (const name of SNAPSHOT_FILES) {
    const db = new Database(join(copy, name), { readonly: true, fileMustExist: true })
    try {
      if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new StartupError(`${name} is damaged.`)
      const version = db.pragma('user_version', { simple: true }) as number
      if (version < 1 || version > known[name]!)
        throw new StartupError(
          `${name} has the data format ${version}; this version of pdpp knows up to ${known[name]}. Use the version that made the backup, or a newer one.`,
        )
    } finally {
      db.close()
    }
  }
}

function copyDatabase(from: string, to: string): void {
  // Create the file first, because SQLite keeps the mode of an existing empty file.
  closeSync(openSync(to, 'wx', 0o600))
  const db = new Database(from, { readonly: true, fileMustExist: true, timeout: 30_000 })
  try {
    db.prepare('vacuum into ?').run(to)
  } finally {
    db.close()
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
