import { expect, test } from 'vitest'
import { planMerge } from './merge-plan.ts'

const segmentsOf = (...documents: number[]) =>
  documents.map((count, at) => ({ segment: at, age: at, documents: count }))
const tiny = (count: number) => Array.from({ length: count }, () => 1)

test.each([
  { what: 'few single records at the end stay', documents: [9000, ...tiny(20)], merged: undefined },
  { what: 'many single records at the end become one', documents: [9000, ...tiny(64)], merged: [1, 65] },
  { what: 'few before a larger segment stay', documents: [...tiny(7), 9000], merged: undefined },
  { what: 'eight before a larger segment become one', documents: [...tiny(8), 9000], merged: [0, 8] },
  { what: 'many before a larger segment become one', documents: [...tiny(45), 9000, 5], merged: [0, 45] },
])('$what', ({ documents, merged }) => {
  const segments = segmentsOf(...documents)
  expect(planMerge(segments)).toEqual(merged && segments.slice(...merged))
})
