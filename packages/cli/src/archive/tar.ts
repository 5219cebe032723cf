import { ByteReader } from './byte-reader.ts'

const BLOCK = 512
const PIECE = 65_536
const MAX_OCTAL_SIZE = 0o77777777777
const NAME_BYTES = 100
const PAX_BYTES = 4096
const FILE = '0'
const PAX = 'x'

export interface TarFile {
  readonly name: string
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Writes POSIX ustar with regular files only, so that any program can unpack it. */
export async function* writeTar(files: AsyncIterable<TarFile> | Iterable<TarFile>, at: Date): AsyncGenerator<Buffer> {
  for await (const { name, size, bytes } of files) {
    yield* headers(name, size, at)
    let written = 0
    for await (const piece of bytes) {
      written += piece.length
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes, expected ${size}`)
    yield Buffer.alloc(padding(size))
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** Yields one file after the other, and skips bytes that the caller does not read. Throws for anything but files. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const reader = new ByteReader(source)
  let long: string | undefined
  for (;;) {
    const block = await reader.upTo(BLOCK)
    if (block.length < BLOCK) throw new Error('the archive ends too early')
    if (block.every((byte) => byte === 0)) return
    const { name, size, type } = parse(block)
    if (type === PAX) {
      long = await pathIn(reader, size)
      continue
    }
    const bytes = contents(reader, size)
    yield { name: long ?? name, size, bytes }
    long = undefined
    for await (const _rest of bytes);
    if ((await reader.upTo(padding(size))).length < padding(size)) throw new Error('the archive ends too early')
  }
}

async function pathIn(reader: ByteReader, size: number): Promise<string | undefined> {
  if (size > PAX_BYTES) throw new Error('the archive is damaged')
  const text = (await reader.upTo(size + padding(size))).toString('utf8', 0, size)
  return /^\d+ path=(.*)$/m.exec(text)?.[1]
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

async function* contents(reader: ByteReader, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; ) {
    const piece = await reader.some(Math.min(left, PIECE))
    if (piece.length === 0) throw new Error('the archive ends too early')
    left -= piece.length
    yield piece
  }
}

function* headers(name: string, size: number, at: Date): Generator<Buffer> {
  if (Buffer.byteLength(name) > NAME_BYTES) {
    const long = longName(name)
    yield header('long-name', long.length, at, PAX)
    yield long
    yield Buffer.alloc(padding(long.length))
  }
  yield header(name, size, at, FILE)
}

function header(name: string, size: number, at: Date, type: string): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, NAME_BYTES, 'utf8')
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  if (size <= MAX_OCTAL_SIZE) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  else {
    // Above 8 GiB, use the base-256 form, which GNU, BSD and POSIX readers understand.
    block[124] = 0x80
    block.writeBigUInt64BE(BigInt(size), 128)
  }
  const seconds = Math.floor(at.getTime() / 1000)
  block.write(`${seconds.toString(8).padStart(11, '0')}\0`, 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\u000000', 257)
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** A name that is too long for the header goes into an extra header before it (POSIX pax). */
function longName(name: string): Buffer {
  const rest = ` path=${name}\n`
  let length = Buffer.byteLength(rest)
  // The length includes its own digits.
  while (length !== Buffer.byteLength(`${length}${rest}`)) length = Buffer.byteLength(`${length}${rest}`)
  return Buffer.from(`${length}${rest}`)
}

function parse(block: Buffer): { name: string; size: number; type: string } {
  const sum = Number.parseInt(text(block, 148, 8), 8)
  block.fill(' ', 148, 156)
  if (sum !== checksum(block)) throw new Error('it is not a tar archive, or it is damaged')
  const type = block[156] === 0 ? FILE : String.fromCharCode(block[156]!)
  if (type !== FILE && type !== PAX) throw new Error('the archive contains something other than files')
  const prefix = text(block, 345, 155)
  const base = text(block, 0, 100)
  const size = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(text(block, 124, 12), 8)
  if (!Number.isSafeInteger(size) || size < 0) throw new Error('the archive is damaged')
  return { name: prefix === '' ? base : `${prefix}/${base}`, size, type }
}

function text(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? length : end).trim()
}

function checksum(block: Buffer): number {
  return block.reduce((sum, byte) => sum + byte, 0)
}
