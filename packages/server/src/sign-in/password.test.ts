import crypto from 'node:crypto'
import { expect, it, onTestFinished, vi } from 'vitest'
import { checkPassword, hashPassword, verifyPassword } from './password.ts'

it('stores argon2id hashes with different salts', async () => {
  const [one, two] = await Promise.all([hashPassword('poppy seed and rye'), hashPassword('poppy seed and rye')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(one).not.toBe(two)
  expect(await verifyPassword('poppy seed and rye', one)).toBe(true)
  expect(await verifyPassword('poppy seed and rye ', one)).toBe(false)
  expect(await verifyPassword('', one)).toBe(false)
})

it('agrees with the argon2 reference implementation', async () => {
  const parameters = { nonce: Buffer.alloc(16, 2), parallelism: 4, tagLength: 32, memory: 32, passes: 3 }
  const rfc = {
    ...parameters,
    message: Buffer.alloc(32, 1),
    secret: Buffer.alloc(8, 3),
    associatedData: Buffer.alloc(12, 4),
  }
  // RFC 9106 section 5.3.
  expect(crypto.argon2Sync('argon2id', rfc).toString('hex')).toBe(
    '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659',
  )
})

it('accepts the same word in another Unicode form', async () => {
  expect(await verifyPassword('re\u0301sume\u0301 of years', await hashPassword('résumé of years'))).toBe(true)
})

it('takes the same work if no password is set, and accepts nothing', async () => {
  const hash = await hashPassword('the right password')
  const argon2 = vi.spyOn(crypto, 'argon2')
  onTestFinished(() => argon2.mockRestore())
  const work = async (password: string, stored: string | undefined) => {
    argon2.mockClear()
    const accepted = await verifyPassword(password, stored)
    // Everything that costs time: the number of calls, and memory, passes and message length of each.
    const calls = argon2.mock.calls.map(([algorithm, { message, memory, passes, parallelism, tagLength }]) => ({
      algorithm,
      bytes: Buffer.byteLength(message),
      cost: [memory, passes, parallelism, tagLength],
    }))
    return { accepted, calls }
  }
  for (const guess of ['', 'a guess of some length', 'x'.repeat(5_000)]) {
    const known = await work(guess, hash)
    expect(known.calls).toHaveLength(1)
    for (const stored of [undefined, 'not a hash']) expect(await work(guess, stored)).toEqual(known)
    expect(known.accepted).toBe(false)
  }
})

it('requires twelve characters and allows up to a kilobyte', () => {
  expect(() => checkPassword('eleven char')).toThrow('at least 12')
  expect(() => checkPassword('🦊'.repeat(11))).toThrow('at least 12')
  expect(checkPassword('🦊'.repeat(12))).toHaveLength(24)
  expect(() => checkPassword('x'.repeat(1025))).toThrow('at most 1024 bytes')
})
