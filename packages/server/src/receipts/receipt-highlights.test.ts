import { expect, it } from 'vitest'
import { type HighlightedReceipt, highlights } from './receipt-highlights.ts'

const receipt = (sequence: number, changes: Partial<HighlightedReceipt> = {}): HighlightedReceipt => ({
  sequence,
  at: sequence * 1000,
  clientId: 'cli_a',
  grantId: 'grt_a',
  outcome: 'ok',
  ...changes,
})
const marked = (receipts: readonly HighlightedReceipt[], firsts = new Map<string, number>()) =>
  [...highlights(receipts, firsts)].filter(([, list]) => list.length > 0)

it('marks refusals and the first read of each grant', () => {
  const list = [receipt(1), receipt(2, { outcome: 'grant_revoked' }), receipt(3, { grantId: 'grt_b' })]
  expect(marked(list, new Map([['grt_a', 1]]))).toEqual([
    [1, ['first']],
    [2, ['refused']],
  ])
})

it('marks a burst from its 20th read within a minute on, per client', () => {
  const reads = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, n) => receipt(n + 1, { at: n * everyMs }))
  expect(marked(reads(19, 100))).toEqual([])
  expect(marked(reads(20, 100))).toHaveLength(20)
  expect(marked(reads(20, 3200))).toEqual([])
  const two = reads(30, 100).map((one, n) => ({ ...one, clientId: n % 2 ? 'cli_b' : 'cli_a' }))
  expect(marked(two)).toEqual([])
})
