import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Receipt } from '../../../receipts/receipt-store.ts'
import { encodeNumbers, receiptHash } from '../../rows/receipt-encoding.ts'

/** The same hash, computed in the simplest way. Receipts of all versions have it. */
function documentedHash(previous: Uint8Array, receipt: Receipt): string {
  const { at, subjectId, clientId, grantId, surface, operation, connectorKey, stream, connections, fields } = receipt
  const { bytes, outcome, requestId, continues } = receipt
  const records = encodeNumbers(receipt.records).toString('base64')
  const list = [at, subjectId, clientId, grantId, surface, operation, connectorKey, stream, connections, fields, records, bytes, outcome, requestId] // biome-ignore format: a list
  const json = JSON.stringify(continues ? [...list, 'continues'] : list)
  return createHash('sha256').update(previous).update(json).digest('hex')
}

test('the hash is that of the previous hash and the members in JSON', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 })
  const maybe = fc.option(text, { nil: undefined })
  const receipt = fc.record({
    ...{ at: fc.nat(), subjectId: text, clientId: maybe, grantId: maybe, surface: text, operation: text },
    ...{ connectorKey: maybe, stream: maybe, connections: fc.array(text), outcome: text, requestId: text },
    // Long lists do not fit into the usual space.
    fields: fc.oneof(fc.array(text), fc.constant(Array.from({ length: 400 }, (_, at) => `field ${at} ‰`))),
    ...{ records: fc.array(fc.nat()), bytes: fc.nat(), continues: fc.boolean() },
  })
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), receipt, (previous, one) => {
      expect(receiptHash(previous, one).toString('hex')).toBe(documentedHash(previous, one))
    }),
    { numRuns: 40 },
  )
})
