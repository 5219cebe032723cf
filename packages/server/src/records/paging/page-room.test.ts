import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteRoom } from './page-room.ts'

/** Reserved for the envelope. */
const ENVELOPE = 700

test('a page ends before the row that would exceed its bytes', () => {
  const row = fc.string({ unit: fc.constantFrom('a', 'ä', '漢', '🐟'), minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(fc.array(row), fc.string(), fc.nat(3000), fc.nat(200), (rows, head, bytes, repeated) => {
      const room = new ByteRoom(ENVELOPE + bytes, repeated)
      let used = repeated + Buffer.byteLength(head) + 1
      for (const text of rows) {
        const size = Buffer.byteLength(text)
        expect(room.fits({ row: text }, head)).toBe(used + size <= bytes)
        if (used + size > bytes) break
        room.take({ row: text })
        used += size + 1
      }
      expect(room.left(head)).toBe(bytes - used)
    }),
  )
})
