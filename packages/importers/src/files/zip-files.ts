import { closeSync, openSync, readSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, openPromise } from 'yauzl'
import type { Archive, EntryList } from './archive.ts'
import { FileError, type FileInput, LINK, once, unreadable } from './files.ts'
import { growsTooMuch } from './gunzip.ts'
import { SKIPPED_FILES } from './skipped-files.ts'

const LINK_TYPE = 0o120000
/** The file header and the methods of the zip format (APPNOTE.TXT, sections 4.3.7 and 4.4.5). */
const LOCAL_HEADER = { bytes: 30, signature: 0x04034b50 }
const [STORED, DEFLATED] = [0, 8]
/** Larger entries are read as a stream, so that they are never in memory as a whole. */
const MAX_SMALL_BYTES = 65_536

/** Lists the files of a zip. They are read inside the archive, so nothing is written to disk. */
export async function listZip(archive: Archive, list: EntryList): Promise<void> {
  const zip = await openPromise(archive.file)
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || SKIPPED_FILES.test(entry.fileName)) continue
      const name = `${archive.name}/${entry.fileName}`
      if (isLink(entry)) archive.skip(name, LINK)
      else await list.add(zippedFile(archive, name, entry))
    }
  } finally {
    zip.close()
  }
}

/** The file type is in the upper half of the attributes, if the archive was made on a Unix system. */
const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170000) === LINK_TYPE

function zippedFile({ file, stats, copies }: Archive, name: string, entry: Entry): FileInput {
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
  const small = smallEntry(file, entry)
  if (small) {
    input.bytesRead = entry.compressedSize
    yield small
    return
  }
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

/**
 * Reads a small entry at its position, because the library looks up the end of the archive first and needs several
 * streams. Returns undefined if anything about the entry is unusual. Then the library reads it, and says what is wrong.
 */
function smallEntry(path: string, entry: Entry): Buffer | undefined {
  const { compressedSize, uncompressedSize, compressionMethod, relativeOffsetOfLocalHeader: from } = entry
  if (Math.max(compressedSize, uncompressedSize) > MAX_SMALL_BYTES) return
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const header = Buffer.allocUnsafeSlow(LOCAL_HEADER.bytes)
    if (readSync(file, header, { position: from }) < header.length) return
    if (header.readUInt32LE(0) !== LOCAL_HEADER.signature) return
    const packed = Buffer.allocUnsafeSlow(compressedSize)
    const position = from + header.length + header.readUInt16LE(26) + header.readUInt16LE(28)
    if (readSync(file, packed, { position }) < packed.length) return
    const bytes =
      compressionMethod === DEFLATED
        ? inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
        : packed
    const isUsual = compressionMethod === DEFLATED || compressionMethod === STORED
    return isUsual && bytes.length === uncompressedSize && crc32(bytes) === entry.crc32 ? bytes : undefined
  } catch {
    return
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Trusts the size that an entry claims, because reading checks it. */
function refuseBomb(name: string, { uncompressedSize: size, compressedSize: packed }: Entry): void {
  if (!growsTooMuch(size, packed)) return
  throw new FileError(
    `${name} would grow to ${size} bytes, ${Math.round(size / packed)} times its size.`,
    'If that is intended, unpack it and import the file.',
    2,
  )
}
