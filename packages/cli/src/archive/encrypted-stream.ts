import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { ByteReader } from './byte-reader.ts'

const MAGIC = Buffer.from('pdpp-sealed-1\n')
const TAG_BYTES = 16
const MAX_HEADER_BYTES = 1024

interface Header {
  readonly kdf: 'scrypt'
  readonly n: number
  readonly r: number
  readonly p: number
  /** Base64. */
  readonly salt: string
  /** Plain bytes per chunk. */
  readonly chunk: number
}

/** The salt must be new for every file, because the same key would use the same nonces again. */
export function newHeader(): Header {
  // These costs make each guess at the passphrase take 128 MiB and some tenths of a second.
  return { kdf: 'scrypt', n: 131_072, r: 8, p: 1, salt: randomBytes(32).toString('base64'), chunk: 262_144 }
}

export class SealError extends Error {
  override readonly name = 'SealError'
}

/**
 * Encrypts a stream with a passphrase, in chunks with AES-256-GCM. docs/storage.md describes the format byte by byte.
 * The nonce contains the chunk's number and whether it is the last chunk, and every chunk authenticates the header. So
 * a changed, moved or missing chunk, or a missing end, is always noticed.
 */
export async function* seal(
  plain: AsyncIterable<Uint8Array>,
  passphrase: string,
  header: Header = newHeader(),
): AsyncGenerator<Buffer> {
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(json.length)
  const front = Buffer.concat([MAGIC, length, json])
  yield front
  const key = await keyOf(passphrase, header)
  const reader = new ByteReader(plain)
  for (let number = 0, last = false; !last; number++) {
    const chunk = await reader.upTo(header.chunk)
    last = await reader.atEnd()
    const cipher = createCipheriv('aes-256-gcm', key, nonce(number, last)).setAAD(front)
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
}

/** Decrypts a stream. Yields a chunk only after its authentication tag was checked. */
export async function* unseal(sealed: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const reader = new ByteReader(sealed)
  const { front, header } = await readFront(reader)
  const key = await keyOf(passphrase, header)
  for (let number = 0, last = false; !last; number++) {
    const chunk = await reader.upTo(header.chunk + TAG_BYTES)
    last = await reader.atEnd()
    if (chunk.length < TAG_BYTES) throw new SealError('The file is damaged: it ends too early.')
    const cipher = createDecipheriv('aes-256-gcm', key, nonce(number, last), { authTagLength: TAG_BYTES }).setAAD(front)
    cipher.setAuthTag(chunk.subarray(-TAG_BYTES))
    const plain = cipher.update(chunk.subarray(0, -TAG_BYTES))
    try {
      cipher.final()
    } catch {
      throw new SealError(number === 0 ? 'The passphrase is wrong, or the file is damaged.' : 'The file is damaged.')
    }
    yield plain
  }
}

async function readFront(reader: ByteReader): Promise<{ front: Buffer; header: Header }> {
  const start = await reader.upTo(MAGIC.length + 2)
  if (start.length < MAGIC.length + 2 || !start.subarray(0, MAGIC.length).equals(MAGIC))
    throw new SealError('It is not a backup made by `pdpp owner backup`.')
  const json = await reader.upTo(Math.min(start.readUInt16BE(MAGIC.length), MAX_HEADER_BYTES))
  return { front: Buffer.concat([start, json]), header: checked(json.toString('utf8')) }
}

/** Limits every number, because a hostile header could otherwise use up all memory before the passphrase is checked. */
function checked(json: string): Header {
  let header: Partial<Header> = {}
  try {
    header = JSON.parse(json) as Partial<Header>
  } catch {}
  const { kdf, n = 0, r = 0, p = 0, salt, chunk = 0 } = header
  const power = Number.isInteger(n) && n >= 2 && n <= 1_048_576 && (n & (n - 1)) === 0
  const within = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max
  if (kdf !== 'scrypt' || !power || !within(r, 16) || !within(p, 4) || !within(chunk, 4_194_304))
    throw new SealError('The file is damaged, or a newer version made it.')
  if (typeof salt !== 'string') throw new SealError('The file is damaged.')
  return { kdf, n, r, p, salt, chunk }
}

function keyOf(passphrase: string, { n, r, p, salt }: Header): Promise<Buffer> {
  const options = { N: n, r, p, maxmem: 128 * n * r + 128 * r * p + 1_048_576 }
  return new Promise((resolve, reject) =>
    // Systems encode the same typed letters differently, so normalise the passphrase.
    scrypt(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}

function nonce(number: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64BE(BigInt(number), 3)
  bytes[11] = last ? 1 : 0
  return bytes
}
