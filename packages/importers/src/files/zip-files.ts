import type { Stats } from 'node:fs'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise } from 'yauzl'
import type { DatabaseCopies } from './database-copy.ts'
import { FileError, type FileInput, LINK, once, unreadable } from './files.ts'
import { SKIPPED_FILES } from './skipped-files.ts'

const MAX_ENTRIES = 1_000_000
/** Max. growth of a large entry. Text shrinks to a tenth and logs to a hundredth, so more is an attack. */
const MAX_RATIO = 1000
/** Max. archives inside of each other. */
const MAX_DEPTH = 3
const LINK_TYPE = 0o120000
const SMALL_BYTES = 100_000_000

/** The files of a zip. They are read inside the archive, so nothing is written to disk. */
export async function zippedFiles(
  file: string,
  name: string,
  stats: Stats,
  copies: DatabaseCopies,
  skip: (name: string, reason: string) => void,
  depth = 1,
): Promise<FileInput[]> {
  const inputs: FileInput[] = []
  try {
    const zip = await openPromise(file)
    try {
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName.endsWith('/') || SKIPPED_FILES.test(entry.fileName)) continue
        const entryName = `${name}/${entry.fileName}`
        if (isLink(entry)) {
          skip(entryName, LINK)
          continue
        }
        const input = zippedFile(file, entryName, entry, stats, copies)
        if (!/\.zip$/i.test(entry.fileName)) inputs.push(input)
        // Some services put the zip of an export into another one.
        else if (depth < MAX_DEPTH)
          inputs.push(
            ...(await zippedFiles(await copies.unpacked(input.open()), entryName, stats, copies, skip, depth + 1)),
          )
        else skip(entryName, 'is an archive in an archive in an archive: unpack it and import the folder')
        if (inputs.length > MAX_ENTRIES)
          throw new FileError(
            `${basename(file)} has more than ${MAX_ENTRIES} files.`,
            'Unpack it, and import its folders one by one.',
            2,
          )
      }
    } finally {
      zip.close()
    }
  } catch (error) {
    throw error instanceof FileError ? error : unreadable(file, error)
  }
  return inputs
}

/** The file type is in the upper half of the attributes, if the archive was made on a Unix system. */
const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170000) === LINK_TYPE

function zippedFile(file: string, name: string, entry: Entry, stats: Stats, copies: DatabaseCopies): FileInput {
  const input: FileInput = {
    file: `${file}/${entry.fileName}`,
    name,
    fileSize: entry.compressedSize,
    changedAt: stats.mtimeMs,
    bytesRead: 0,
    size: entry.uncompressedSize,
    open: () => bytesOf(file, input, entry),
    databasePath: once(() => copies.unpacked(input.open())),
  }
  return input
}

async function* bytesOf(file: string, input: FileInput, entry: Entry): AsyncIterable<Uint8Array> {
  refuseBomb(input.name, entry)
  if (entry.isEncrypted())
    throw new FileError(
      `${input.name} is encrypted.`,
      'Unpack the archive with its password, then import the folder.',
      2,
    )
  input.bytesRead = 0
  const zip = await openPromise(file)
  const share = entry.compressedSize / Math.max(1, entry.uncompressedSize)
  let sum = 0
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
      input.bytesRead += chunk.length * share
      sum = crc32(chunk, sum)
      yield chunk
    }
    if (sum !== entry.crc32) throw new Error('its checksum does not match, so something in it is damaged')
  } catch (error) {
    throw unreadable(input.name, error)
  } finally {
    zip.close()
  }
}

/** Trusts the size that an entry claims, because it is checked while reading. */
function refuseBomb(name: string, { uncompressedSize: size, compressedSize: packed }: Entry): void {
  if (size < SMALL_BYTES || size / Math.max(1, packed) < MAX_RATIO) return
  throw new FileError(
    `${name} would grow to ${size} bytes, ${Math.round(size / packed)} times its size.`,
    'If it is meant to be so, unpack it and import the file.',
    2,
  )
}
