import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { ByteReader } from './byte-reader.ts'

const MAGIC = Buffer.from('pdpp-sealed-1\n')
const TAG = 16
const CHUNK = 262_144
const HEADER_MOST = 1024

interface Header {
  readonly kdf: 'scrypt'
  readonly n: number
  readonly r: number
  readonly p: number
  readonly salt: string
  readonly chunk: number
}

/** 128 MiB and some tenths of a second for each guess at the passphrase. */
const COST = { n: 131_072, r: 8, p: 1 }

export class SealError extends Error {
  override readonly name = 'SealError'
}

/**
 * Encrypts a stream with a passphrase: AES-256-GCM in chunks of one size. Each chunk's nonce is its number and whether
 * it is the last, and each authenticates the header, so none can be changed, moved, left out or cut off.
 */
export async function* seal(plain: AsyncIterable<Uint8Array>, passphrase: string, cost = COST): AsyncGenerator<Buffer> {
  const header: Header = { kdf: 'scrypt', ...cost, salt: randomBytes(32).toString('base64'), chunk: CHUNK }
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(json.length)
  const front = Buffer.concat([MAGIC, length, json])
  yield front
  const key = await keyOf(passphrase, header)
  const reader = new ByteReader(plain)
  for (let number = 0, last = false; !last; number++) {
    const chunk = await reader.upTo(CHUNK)
    last = await reader.atEnd()
    const cipher = createCipheriv('aes-256-gcm', key, nonce(number, last)).setAAD(front)
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
}

/** The same backwards. Nothing of a chunk is handed on before it has proved itself. */
export async function* unseal(sealed: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const reader = new ByteReader(sealed)
  const { front, header } = await readFront(reader)
  const key = await keyOf(passphrase, header)
  for (let number = 0, last = false; !last; number++) {
    const chunk = await reader.upTo(header.chunk + TAG)
    last = await reader.atEnd()
    if (chunk.length < TAG) throw new SealError('It is damaged: it ends too early.')
    const cipher = createDecipheriv('aes-256-gcm', key, nonce(number, last), { authTagLength: TAG }).setAAD(front)
    cipher.setAuthTag(chunk.subarray(-TAG))
    const plain = cipher.update(chunk.subarray(0, -TAG))
    try {
      cipher.final()
    } catch {
      throw new SealError(
        number === 0 ? 'The passphrase is not the right one, or the file is damaged.' : 'It is damaged.',
      )
    }
    yield plain
  }
}

async function readFront(reader: ByteReader): Promise<{ front: Buffer; header: Header }> {
  const start = await reader.upTo(MAGIC.length + 2)
  if (start.length < MAGIC.length + 2 || !start.subarray(0, MAGIC.length).equals(MAGIC))
    throw new SealError('It is not a backup that `pdpp owner backup` made.')
  const json = await reader.upTo(Math.min(start.readUInt16BE(MAGIC.length), HEADER_MOST))
  return { front: Buffer.concat([start, json]), header: checked(json.toString('utf8')) }
}

/** Bounded: a header that was made to hurt must not take all memory before the passphrase is tried. */
function checked(json: string): Header {
  let header: Partial<Header> = {}
  try {
    header = JSON.parse(json) as Partial<Header>
  } catch {}
  const { kdf, n = 0, r = 0, p = 0, salt, chunk = 0 } = header
  const power = Number.isInteger(n) && n >= 2 && n <= 1_048_576 && (n & (n - 1)) === 0
  const within = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most
  if (kdf !== 'scrypt' || !power || !within(r, 16) || !within(p, 4) || !within(chunk, 4_194_304))
    throw new SealError('It is damaged, or made by a newer version.')
  if (typeof salt !== 'string') throw new SealError('It is damaged.')
  return { kdf, n, r, p, salt, chunk }
}

function keyOf(passphrase: string, { n, r, p, salt }: Header): Promise<Buffer> {
  const options = { N: n, r, p, maxmem: 128 * n * r + 128 * r * p + 1_048_576 }
  return new Promise((resolve, reject) =>
    // The same passphrase typed on another system may be composed of other code points.
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
