import {
  closeSync,
  createReadStream,
  type Dirent,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import type { ImportInput } from '../importer.ts'
import { archivedFiles, isArchive } from './archive.ts'
import type { DatabaseCopies } from './database-copy.ts'
import { gunzipped } from './gunzip.ts'
import { SKIPPED_FILES } from './skipped-files.ts'

/** A file of this machine as an importer sees it, with a count of the bytes that were read. */
export interface FileInput extends ImportInput {
  readonly file: string
  readonly fileSize: number
  readonly changedAt: number
  /** Bytes that were read since the file was last opened. */
  bytesRead: number
}

/** Thrown if the file does not exist or may not be read. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly nextStep: string
  readonly exitCode: number

  constructor(message: string, nextStep: string, exitCode: number) {
    super(message)
    this.nextStep = nextStep
    this.exitCode = exitCode
  }
}

const MAX_FILES = 1_000_000
/** Bytes per read. */
const MAX_PIECE_BYTES = 65_536
const MIN_PIECE_BYTES = 4096
export const LINK = 'is a link, and links are not followed: import its target'

/**
 * Finds all files below the paths, including those inside folders and archives. A file that cannot be opened is passed
 * to `fail`, so that the others are still read. A link is passed to `skip`.
 */
export async function findFiles(
  paths: readonly string[],
  copies: DatabaseCopies,
  fail: (name: string, error: unknown) => void,
  skip: (name: string, reason: string) => void = () => {},
): Promise<FileInput[]> {
  const found = new Map<string, FileInput>()
  const archives: [file: string, name: string, stats: Stats][] = []
  const add = (file: string, name: string, stats: Stats) => {
    const real = realpathSync(file)
    if (isArchive(file)) archives.push([file, name, stats])
    else if (!found.has(real)) found.set(real, fileInput(file, name, stats, copies))
    if (found.size > MAX_FILES)
      throw new FileError(`There are more than ${MAX_FILES} files.`, 'Import the folders one by one.', 1)
  }
  for (const path of paths) {
    const stats = statsOf(path, fail)
    if (stats?.isDirectory()) walk(resolve(path), basename(resolve(path)), add, fail, skip)
    else if (stats) add(path, shownName(path), stats)
  }
  for (const input of await filesInArchives(archives, copies, fail, skip)) found.set(input.file, input)
  return [...found.values()]
}

/** Uploaded files. On disk they have names of our own; importers see the names that the owner gave them. */
export async function storedFiles(
  stored: readonly { readonly path: string; readonly name: string }[],
  copies: DatabaseCopies,
  fail: (name: string, error: unknown) => void,
  skip: (name: string, reason: string) => void = () => {},
): Promise<FileInput[]> {
  const inputs: FileInput[] = []
  for (const { path, name } of stored) {
    const stats = statSync(path)
    if (isArchive(name)) inputs.push(...(await filesInArchives([[path, name, stats]], copies, fail, skip)))
    else inputs.push(fileInput(path, name, stats, copies))
  }
  return inputs
}

async function filesInArchives(
  archives: readonly [file: string, name: string, stats: Stats][],
  copies: DatabaseCopies,
  fail: (name: string, error: unknown) => void,
  skip: (name: string, reason: string) => void,
): Promise<FileInput[]> {
  const inputs: FileInput[] = []
  for (const [file, name, stats] of archives) {
    try {
      inputs.push(...(await archivedFiles({ file, name, stats, copies, skip, depth: 1 })))
    } catch (error) {
      fail(name, error)
    }
  }
  return inputs
}

/** The last part of the path. A Maildir file keeps its folders, because they name the mailbox. */
function shownName(path: string): string {
  const parts = resolve(path).split(sep)
  const folder = parts.at(-2)
  return parts.slice(folder === 'cur' || folder === 'new' ? -3 : -1).join('/')
}

function walk(
  folder: string,
  name: string,
  add: (file: string, name: string, stats: Stats) => void,
  fail: (name: string, error: unknown) => void,
  skip: (name: string, reason: string) => void,
): void {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    fail(name, unreadable(folder, error))
    return
  }
  // A Maildir keeps incomplete mails in `tmp`.
  const isMaildir = entries.some((entry) => entry.name === 'cur') && entries.some((entry) => entry.name === 'new')
  const isSkipped = (entry: string) => SKIPPED_FILES.test(`${entry}/`) || (isMaildir && entry === 'tmp')
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    // Links are not followed, because they could lead out of the folder or in a circle.
    if (entry.isDirectory() && !isSkipped(entry.name)) walk(path, `${name}/${entry.name}`, add, fail, skip)
    if (entry.isSymbolicLink()) skip(`${name}/${entry.name}`, LINK)
    if (entry.isFile() && !SKIPPED_FILES.test(entry.name)) add(path, `${name}/${entry.name}`, statSync(path))
  }
}

function statsOf(path: string, fail: (name: string, error: unknown) => void): Stats | undefined {
  try {
    const stats = statSync(path)
    refuseEndless(path, stats)
    return stats
  } catch (error) {
    fail(path, error instanceof FileError ? error : unreadable(path, error))
    return
  }
}

/** Refuses pipes and devices, because files are read twice and must have an end. */
function refuseEndless(path: string, stats: Stats): void {
  if (stats.isFile() || stats.isDirectory()) return
  throw new FileError(
    `${path} is a pipe or a device, not a file.`,
    'Save its output to a file, then import that file.',
    2,
  )
}

export function unreadable(path: string, error: unknown): FileError {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new FileError(`There is no file ${path}.`, 'Check the path; a path with spaces needs quotes.', 5)
  if (code === 'EACCES' || code === 'EPERM')
    return new FileError(`You may not read ${path}.`, 'Give this user the right to read it, or import a copy.', 4)
  if (message === 'incorrect header check')
    return new FileError(
      `${path} is not packed with gzip.`,
      'Rename it with the right ending, then import it again.',
      1,
    )
  if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR')
    return new FileError(`${path} is damaged or cut off.`, 'Get the complete file, then import it.', 1)
  return new FileError(`${path} cannot be read: ${message}`, 'Check the file, or import a copy of it.', 1)
}

function fileInput(file: string, name: string, stats: Stats, copies: DatabaseCopies): FileInput {
  const packed = /\.gz$/i.test(name)
  const input: FileInput = {
    file,
    name,
    fileSize: stats.size,
    changedAt: stats.mtimeMs,
    bytesRead: 0,
    size: packed ? undefined : stats.size,
    open: () => (!packed && stats.size < MAX_PIECE_BYTES ? smallBytesOf(input) : bytesOf(input, packed)),
    databasePath: once(async () => (packed ? copies.unpacked(input.open()) : copies.pathOf(file))),
  }
  return input
}

/** Runs the work once and shares its result, so that a database is copied only once. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= work()
    return result
  }
}

/** Small files get small buffers, because the folders of some exports contain a hundred thousand of them. */
const pieceBytes = (fileSize: number): number => Math.min(MAX_PIECE_BYTES, Math.max(MIN_PIECE_BYTES, fileSize + 1))

/** A stream costs more than ten times as much as reading a small file, and an import opens each file about four times. */
async function* smallBytesOf(input: FileInput): AsyncIterable<Uint8Array> {
  input.bytesRead = 0
  let file: number | undefined
  try {
    file = openSync(input.file, 'r')
    // The file may have grown since it was found. It ends where nothing more can be read.
    for (let isEnd = false; !isEnd; ) {
      const piece = Buffer.allocUnsafeSlow(pieceBytes(input.fileSize))
      const size = fill(piece, file)
      isEnd = size < piece.length
      input.bytesRead += size
      if (size > 0) yield piece.subarray(0, size)
    }
  } catch (error) {
    throw unreadable(input.name, error)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Reads until the piece is full or the file ends. Returns the number of bytes. */
function fill(piece: Buffer, file: number): number {
  let size = 0
  while (size < piece.length) {
    const read = readSync(file, piece, { offset: size })
    if (read === 0) break
    size += read
  }
  return size
}

async function* bytesOf(input: FileInput, packed: boolean): AsyncIterable<Uint8Array> {
  const stream = createReadStream(input.file, { highWaterMark: pieceBytes(input.fileSize) })
  input.bytesRead = 0
  stream.on('data', (chunk) => {
    input.bytesRead += chunk.length
  })
  try {
    if (packed) yield* gunzipped(stream, input.fileSize)
    else yield* stream as AsyncIterable<Uint8Array>
  } catch (error) {
    throw unreadable(input.name, error)
  } finally {
    stream.destroy()
  }
}
