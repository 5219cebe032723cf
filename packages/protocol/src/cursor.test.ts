import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CursorSealer } from './cursor.ts'
import { PdppError } from './errors/pdpp-error.ts'

const sealer = new CursorSealer(Buffer.alloc(32, 1))
const text = fc.string({ unit: 'binary', maxLength: 30 })
const position = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown)

/** A foreign cursor must always cause invalid_cursor. */
function expectInvalid(open: () => unknown, param = 'cursor'): void {
  let error: unknown
  try {
    open()
  } catch (caught) {
    error = caught
  }
  expect(error).toBeInstanceOf(PdppError)
  expect((error as PdppError).code).toBe('invalid_cursor')
  expect((error as PdppError).detail.param).toBe(param)
}

describe('a cursor', () => {
  test('opens to its position under the same binding', () => {
    fc.assert(
      fc.property(text, position, (binding, value) => {
        expect(sealer.open(binding, sealer.seal(binding, value))).toEqual(value)
      }),
    )
  })

  test('can hold bytes instead, in as few characters as they need', () => {
    fc.assert(
      fc.property(text, fc.uint8Array({ maxLength: 60 }), (binding, bytes) => {
        const token = sealer.sealBytes(binding, bytes)
        expect(sealer.openBytes(binding, token)).toEqual(Buffer.from(bytes))
        expect(token).toHaveLength(Math.ceil(((bytes.length + 24) * 4) / 3))
        expectInvalid(() => sealer.openBytes(`${binding}!`, token))
      }),
    )
  })

  test('is safe in a URL', () => {
    fc.assert(
      fc.property(position, (value) => {
        expect(sealer.seal('b', value)).toMatch(/^[A-Za-z0-9_-]+$/)
      }),
    )
  })

  test('still opens after a restart with the same secret', () => {
    const restarted = new CursorSealer(Buffer.alloc(32, 1))
    expect(restarted.open('b', sealer.seal('b', [1, 'x']))).toEqual([1, 'x'])
  })

  test('is different each time it is sealed', () => {
    const seen = new Set(Array.from({ length: 50 }, () => sealer.seal('b', ['p', 7])))
    expect(seen.size).toBe(50)
  })

  test('reveals neither its content nor its binding', () => {
    const token = sealer.seal('grant_secret_binding', ['secret_sort_value', 424242])
    const bytes = Buffer.from(token, 'base64url').toString('latin1')
    for (const hidden of ['secret_sort_value', '424242', 'grant_secret_binding', '["'])
      expect(bytes).not.toContain(hidden)
    const plain = JSON.stringify(['secret_sort_value', 424242])
    expect(bytes.length).toBe(plain.length + 24) // The binding adds no bytes, because it is not stored.
  })
})

describe('a cursor is refused with invalid_cursor', () => {
  test('after any bit is flipped', () => {
    fc.assert(
      fc.property(text, position, fc.nat(), (binding, value, at) => {
        const bytes = Buffer.from(sealer.seal(binding, value), 'base64url')
        const bit = at % (bytes.length * 8)
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        expectInvalid(() => sealer.open(binding, bytes.toString('base64url')))
      }),
      { numRuns: 300 },
    )
  })

  test('after any character is changed, even unused bits of base64', () => {
    const token = sealer.seal('b', 12) // 26 bytes: the last character has four unused bits.
    for (let at = 0; at < token.length; at++) {
      for (const other of ['A', 'Q', 'w', '_', '=', '+', ' ']) {
        if (token[at] !== other) expectInvalid(() => sealer.open('b', token.slice(0, at) + other + token.slice(at + 1)))
      }
    }
  })

  test('under another binding', () => {
    fc.assert(
      fc.property(text, text, position, (one, other, value) => {
        fc.pre(one !== other)
        expectInvalid(() => sealer.open(other, sealer.seal(one, value)))
      }),
    )
  })

  test('with another secret', () => {
    const other = new CursorSealer(Buffer.alloc(32, 2))
    fc.assert(fc.property(position, (value) => expectInvalid(() => other.open('b', sealer.seal('b', value)))))
  })

  test('if it is cut or extended', () => {
    const token = sealer.seal('b', { at: 'somewhere' })
    for (let length = 0; length < token.length; length++) expectInvalid(() => sealer.open('b', token.slice(0, length)))
    for (const more of ['A', 'AAAA', '=', '\n', ' ']) expectInvalid(() => sealer.open('b', token + more))
    expectInvalid(() => sealer.open('b', ` ${token}`))
  })

  test('if it is garbage', () => {
    const bytes = fc.uint8Array({ maxLength: 120 }).map((raw) => Buffer.from(raw).toString('base64url'))
    fc.assert(
      fc.property(fc.oneof(bytes, fc.string({ unit: 'binary', maxLength: 100 }), fc.string()), (garbage) =>
        expectInvalid(() => sealer.open('b', garbage)),
      ),
    )
  })

  test('with the name of its parameter', () => {
    expectInvalid(() => sealer.open('b', 'x', 'changes_since'), 'changes_since')
  })
})
