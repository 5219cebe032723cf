import { existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { BLOB_FOLDER } from '../../blob-files.ts'
import { isDamage } from '../engine/fault.ts'
import { hasTable } from '../engine/schema-table.ts'
import { cutOff } from './file-header.ts'
import type { ChainEnd } from './installation.ts'

export const MAIN_FILE = 'pdpp.db'
export const RECEIPTS_FILE = 'receipts.db'
/** The setting in the main file with the last known receipt of an owner. */
export const LAST_RECEIPT_SETTING = 'receipts_reach'
/** The secret in the main file with the id that both files share. */
export const INSTALLATION = 'installation'

/** Why the files of a data directory cannot be used as they are. */
export interface FileProblem {
  readonly file: typeof MAIN_FILE | typeof RECEIPTS_FILE
  readonly message: string
  readonly fix: string
}

type State = 'there' | 'empty' | 'missing'

/** Checks names, sizes and a few rows. Takes a few milliseconds, however large the files are. */
export function findFileProblem(directory: string): FileProblem | undefined {
  const main = stateOf(join(directory, MAIN_FILE))
  const receipts = stateOf(join(directory, RECEIPTS_FILE))
  if (main !== 'there') return hasRest(directory, receipts) ? withoutMain(directory, main) : undefined
  try {
    if (cutOff(join(directory, MAIN_FILE))) return broken(directory, MAIN_FILE, 'ends too early')
    const facts = reading(join(directory, MAIN_FILE), mainFacts)
    if (receipts !== 'there') return facts.isUsed ? withoutReceipts(directory, receipts) : undefined
    return findReceiptsProblem(directory, facts)
  } catch (error) {
    if (isDamage(error)) return broken(directory, MAIN_FILE, 'cannot be read')
    throw error
  }
}

function findReceiptsProblem(directory: string, facts: MainFacts): FileProblem | undefined {
  const file = join(directory, RECEIPTS_FILE)
  try {
    if (cutOff(file)) return broken(directory, RECEIPTS_FILE, 'ends too early')
    return reading(file, (db) => {
      const id = idIn(db)
      // The receipts file gets its id first, so a main file without an id means that a start was interrupted.
      if (facts.id !== undefined && facts.id !== id) return foreign(directory)
      return facts.chainEnds.every((chainEnd) => holds(db, chainEnd)) ? undefined : older(directory)
    })
  } catch (error) {
    if (isDamage(error)) return broken(directory, RECEIPTS_FILE, 'cannot be read')
    throw error
  }
}

interface MainFacts {
  readonly id: string | undefined
  readonly chainEnds: readonly ChainEnd[]
  /** Whether any token was issued or any source declared. */
  readonly isUsed: boolean
}

function mainFacts(db: Database.Database): MainFacts {
  if (!hasTable(db, 'secret')) return { id: undefined, chainEnds: [], isUsed: false }
  const id = db.prepare('select value from secret where name = ?').pluck().get(INSTALLATION) as Buffer | undefined
  const chainEnds = db.prepare('select value from setting where name = ?').pluck().all(LAST_RECEIPT_SETTING) as string[]
  const used = 'select exists (select 1 from token) or exists (select 1 from source)'
  return {
    id: id?.toString('hex'),
    chainEnds: chainEnds.map((text) => JSON.parse(text) as ChainEnd),
    isUsed: db.prepare(used).pluck().get() === 1,
  }
}

function idIn(db: Database.Database): string | undefined {
  if (!hasTable(db, 'installation')) return
  return (db.prepare('select id from installation').pluck().get() as Buffer | undefined)?.toString('hex')
}

/** Whether the last known receipt exists, or retention has deleted it. */
function holds(db: Database.Database, { sequence, hash }: ChainEnd): boolean {
  if (!hasTable(db, 'receipt')) return false
  const found = db.prepare('select hash from receipt where sequence = ?').pluck().get(sequence) as Buffer | undefined
  if (found !== undefined) return found.toString('hex') === hash
  return db.prepare('select 1 from anchor where sequence >= ? limit 1').get(sequence) !== undefined
}

function reading<T>(file: string, read: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

function stateOf(file: string): State {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  return size === undefined ? 'missing' : size === 0 ? 'empty' : 'there'
}

function hasRest(directory: string, receipts: State): boolean {
  return receipts === 'there' || hasBlobs(join(directory, BLOB_FOLDER))
}

function hasBlobs(folder: string): boolean {
  if (!existsSync(folder)) return false
  const shelves = readdirSync(folder).filter((name) => /^[0-9a-f]{2}$/.test(name))
  return shelves.some((shelf) => readdirSync(join(folder, shelf)).some((name) => /^[0-9a-f]{64}$/.test(name)))
}

const restore = (directory: string) =>
  `Move ${directory} to another place and put a backup there: pdpp owner restore <backup>.`
const NEW_RECEIPTS =
  'Without a backup, start once with `pdpp serve --new-receipts`: records and grants stay, a new file of receipts begins, and the old one is kept under another name.'

const withoutMain = (directory: string, state: State): FileProblem => ({
  file: MAIN_FILE,
  message: `${join(directory, MAIN_FILE)} is ${state}, but its receipts or blobs are still there. It contained the records, grants and tokens.`,
  fix: `${restore(directory)} To start empty instead, move the rest away too: ${RECEIPTS_FILE} and the folder ${BLOB_FOLDER}.`,
})

const withoutReceipts = (directory: string, state: State): FileProblem => ({
  file: RECEIPTS_FILE,
  message: `${join(directory, RECEIPTS_FILE)} is ${state}. It says who read what.`,
  fix: `${restore(directory)} ${NEW_RECEIPTS}`,
})

const foreign = (directory: string): FileProblem => ({
  file: RECEIPTS_FILE,
  message: `${RECEIPTS_FILE} and ${MAIN_FILE} in ${directory} come from different installations.`,
  fix: `Put back the file that belongs here, or both from one backup. ${restore(directory)} ${NEW_RECEIPTS}`,
})

const older = (directory: string): FileProblem => ({
  file: RECEIPTS_FILE,
  message: `${join(directory, RECEIPTS_FILE)} lacks receipts that ${MAIN_FILE} knows of: it is older than that file, or was changed.`,
  fix: `Put both back from one backup. ${restore(directory)} ${NEW_RECEIPTS}`,
})

export function broken(directory: string, file: FileProblem['file'], how: string): FileProblem {
  return {
    file,
    message: `${join(directory, file)} is damaged: it ${how}.`,
    fix: file === RECEIPTS_FILE ? `${restore(directory)} ${NEW_RECEIPTS}` : restore(directory),
  }
}

/** Renames unusable receipts together with SQLite's side files. */
export function setReceiptsAside(directory: string, now = Date.now()): void {
  const aside = `${RECEIPTS_FILE}.set-aside-${new Date(now).toISOString().replace(/[:.]/g, '-')}`
  for (const suffix of ['', '-wal', '-shm']) {
    const file = join(directory, RECEIPTS_FILE + suffix)
    if (existsSync(file)) renameSync(file, join(directory, aside + suffix))
  }
}
