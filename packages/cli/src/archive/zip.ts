import { crc32 } from 'node:zlib'

interface ZipEntry {
  readonly name: string
  readonly bytes: Buffer
}

const UTF8 = 0x0800
/** 1 January 1980, the earliest date of the format, so that the same content makes the same file. */
const DATE = 0x0021

/** A zip file without compression, for a few small files. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name)
    const common = fields(
      [2, 20],
      [2, UTF8],
      [2, 0],
      [2, 0],
      [2, DATE],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, path.length],
    )
    directory.push(
      fields([4, 0x02014b50], [2, 20]),
      common,
      fields([2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      path,
    )
    const local = [fields([4, 0x04034b50]), common, fields([2, 0]), path, bytes]
    parts.push(...local)
    offset += local.reduce((sum, part) => sum + part.length, 0)
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, size],
    [4, offset],
    [2, 0],
  )
  return Buffer.concat([...parts, ...directory, end])
}

/** Little-endian numbers of two or four bytes. */
function fields(...list: readonly (readonly [2 | 4, number])[]): Buffer {
  return Buffer.concat(
    list.map(([bytes, value]) => {
      const part = Buffer.alloc(bytes)
      part.writeUIntLE(value, 0, bytes)
      return part
    }),
  )
}
