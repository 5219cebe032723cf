import { createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newHeader, SealError, seal, unseal } from './encrypted-stream.ts'

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = []
  for await (const piece of source) found.push(piece)
  return Buffer.concat(found)
}

const CHUNK = 262_144
/** A fast key derivation, because these tests are not about its cost. */
const cheap = () => ({ ...newHeader(), n: 1024 })
const PASSPHRASE = 'correct horse battery staple'

it('decrypts what it encrypted, for any length and any chunking', async () => {
  for (const length of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK]) {
    const plain = randomBytes(length)
    const sealed = await all(seal(pieces(plain, 70_001), PASSPHRASE, cheap()))
    expect((await all(unseal(pieces(sealed, 9_973), PASSPHRASE))).equals(plain)).toBe(true)
  }
}, 60_000)

it('refuses a wrong passphrase and every change of the file', async () => {
  const sealed = await all(seal(pieces(randomBytes(3 * CHUNK), CHUNK), PASSPHRASE, cheap()))
  const front = sealed.length - 3 * (CHUNK + 16)
  const chunk = (at: number) => sealed.subarray(front + at * (CHUNK + 16), front + (at + 1) * (CHUNK + 16))
  const header = sealed.subarray(0, front)
  const flipped = Buffer.from(sealed)
  flipped[front + CHUNK * 2]! ^= 1
  const salted = Buffer.from(sealed)
  salted[front - 30] = salted[front - 30] === 65 ? 66 : 65
  const broken: Buffer[] = [
    flipped,
    salted,
    Buffer.concat([header, chunk(1), chunk(0), chunk(2)]),
    Buffer.concat([header, chunk(0), chunk(2)]),
    Buffer.concat([header, chunk(0), chunk(1)]),
    Buffer.concat([sealed, Buffer.from('x')]),
    sealed.subarray(0, sealed.length - 1),
    header,
    Buffer.from('something else entirely'),
  ]
  for (const bytes of broken) await expect(all(unseal(pieces(bytes, CHUNK), PASSPHRASE))).rejects.toThrow(SealError)
  await expect(all(unseal(pieces(sealed, CHUNK), 'another passphrase'))).rejects.toThrow(/passphrase/)
}, 60_000)

const storageDoc = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'storage.md'), 'utf8')
const example = Buffer.from(
  /```hex\n([0-9a-f\n]+)```/
    .exec(storageDoc.slice(storageDoc.indexOf('### The format of a backup')))![1]!
    .replaceAll('\n', ''),
  'hex',
)
const EXAMPLE_PLAIN = 'forty-two bytes of text, in three chunks.\n'
const exampleHeader = {
  ...newHeader(),
  n: 1024,
  salt: Buffer.from([...Array(32).keys()]).toString('base64'),
  chunk: 16,
}

it('decrypts the example file of docs/storage.md', async () => {
  expect((await all(unseal(pieces(example, 7), PASSPHRASE))).toString()).toBe(EXAMPLE_PLAIN)
})

it('still writes the example file of docs/storage.md, byte by byte', async () => {
  const sealed = await all(seal(pieces(Buffer.from(EXAMPLE_PLAIN), 7), PASSPHRASE, exampleHeader))
  expect(sealed.toString('hex')).toBe(example.toString('hex'))
})

it('has the layout that docs/storage.md describes', () => {
  const headerLength = example.readUInt16BE(14)
  const front = example.subarray(0, 16 + headerLength)
  const { n, r, p, salt, chunk } = JSON.parse(front.toString('utf8', 16))
  const key = scryptSync(PASSPHRASE.normalize('NFC'), Buffer.from(salt, 'base64'), 32, { N: n, r, p })
  const plain: Buffer[] = []
  for (let number = 0, at = front.length; at < example.length; number++, at += chunk + 16) {
    const end = Math.min(at + chunk + 16, example.length)
    const nonce = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number, end === example.length ? 1 : 0])
    const cipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(front)
    cipher.setAuthTag(example.subarray(end - 16, end))
    plain.push(cipher.update(example.subarray(at, end - 16)), cipher.final())
  }
  expect(Buffer.concat(plain).toString()).toBe(EXAMPLE_PLAIN)
})
