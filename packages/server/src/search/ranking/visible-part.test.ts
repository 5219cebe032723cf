import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildSegment } from '../segments/segment-builder.ts'
import type { IndexScope } from './index-scope.ts'
import { visiblePart } from './visible-part.ts'

const shown = { orderedBy: 0, isGrouped: false, names: new Set<string>(), only: undefined } as const
const scope: IndexScope = {
  name: 'two editions',
  classes: [
    { field: 'title', role: undefined },
    { field: 'body', role: undefined },
  ],
  editions: new Map([
    [1, { ...shown, feed: 1, order: 0, slots: [0, 1], times: [{ column: 0, since: 3, until: 9 }] }],
    [2, { ...shown, feed: 2, order: 1, slots: [-1, 1], times: [] }],
  ]),
}

const document = fc.record({
  edition: fc.integer({ min: 1, max: 3 }),
  times: fc.tuple(fc.integer({ min: 0, max: 12 }), fc.constant(0)),
  group: fc.constant(null),
  texts: fc.tuple(fc.constantFrom('', 'gull', 'gull rope'), fc.constantFrom('', 'salt '.repeat(200), 'tide')),
})

test('a part without removed documents equals a rebuilt part', () => {
  const dying = fc.array(fc.array(fc.nat({ max: 19 }), { maxLength: 6 }), { maxLength: 4 })
  fc.assert(
    fc.property(fc.array(document, { minLength: 20, maxLength: 20 }), dying, (documents, steps) => {
      const { columns } = buildSegment(documents.map((one, number) => ({ ...one, number })))
      let dead: ReadonlySet<number> = new Set<number>()
      let part = visiblePart({ segment: 1, columns, dead }, scope)
      for (const step of steps) {
        const before = { part, dead }
        dead = new Set([...dead, ...step])
        part = visiblePart({ segment: 1, columns, dead }, scope, before)
        expect(part).toEqual(visiblePart({ segment: 1, columns, dead }, scope))
      }
    }),
  )
})
