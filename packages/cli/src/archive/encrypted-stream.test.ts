import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { SealError, seal, unseal } from './encrypted-stream.ts'

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = []
  for await (const piece of source) found.push(piece)
  return Buffer.concat(found)
}

const CHUNK = 262_144
/** What a guess costs is not under test here. */
const CHEAP = { n: 1024, r: 8, p: 1 }
const WORDS = 'correct horse battery staple'

it('gives back what it was given, whatever its length and however it arrives', async () => {
  for (const length of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK]) {
    const plain = randomBytes(length)
    const sealed = await all(seal(pieces(plain, 70_001), WORDS, CHEAP))
    expect((await all(unseal(pieces(sealed, 9_973), WORDS))).equals(plain)).toBe(true)
  }
}, 60_000)

it('refuses another passphrase and every change: a bit, an order, an end', async () => {
  const sealed = await all(seal(pieces(randomBytes(3 * CHUNK), CHUNK), WORDS, CHEAP))
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
  for (const bytes of broken) await expect(all(unseal(pieces(bytes, CHUNK), WORDS))).rejects.toThrow(SealError)
  await expect(all(unseal(pieces(sealed, CHUNK), 'another passphrase'))).rejects.toThrow(/passphrase/)
}, 60_000)
