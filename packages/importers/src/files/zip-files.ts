import type { Stats } from 'node:fs'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise } from 'yauzl'
import type { DatabaseCopies } from './database-copy.ts'
import { FileError, type FileInput, once, unreadable } from './files.ts'
import { SKIPPED_FILES } from './skipped-files.ts'

const MAX_ENTRIES = 1_000_000
/** Max. growth of a large entry. Text shrinks to a tenth and logs to a hundredth, so more is an attack. */
const MAX_RATIO = 1000
const SMALL_BYTES = 100_000_000

/**
 * The files of a zip. They are read inside the archive, so nothing is written to disk, but for a zip in the zip: this one
 * is copied to a temporary folder. Archives inside that one are not opened.
 */
export async function zippedFiles(
  file: string,
  name: string,
  stats: Stats,
  copies: DatabaseCopies,
  isInner = false,
): Promise<FileInput[]> {
  const inputs: FileInput[] = []
  try {
    const zip = await openPromise(file)
    try {
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName.endsWith('/') || SKIPPED_FILES.test(entry.fileName)) continue
        const input = zippedFile(file, `${name}/${entry.fileName}`, entry, stats, copies)
        if (!isInner && /\.zip$/i.test(entry.fileName)) inputs.push(...(await innerFiles(input, stats, copies)))
        else inputs.push(input)
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

/** Notion and others wrap their zip in a second one. */
async function innerFiles(input: FileInput, stats: Stats, copies: DatabaseCopies): Promise<FileInput[]> {
  try {
    const path = await input.databasePath!()
    const found = await zippedFiles(path, input.name, stats, copies, true)
    // The path of the copy differs each time; that in the archive does not.
    return found.map((each) => Object.assign(each, { file: `${input.file}${each.file.slice(path.length)}` }))
  } catch {
    // It stays a file, which is then named as one that nobody can read. The others are not lost.
    return [input]
  }
}

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
