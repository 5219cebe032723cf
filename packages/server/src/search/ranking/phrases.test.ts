import { expect, test } from 'vitest'
import { MemoryIndex } from '../segments/memory-index.fixture.ts'
import type { IndexScope } from './index-scope.ts'
import { phraseDocuments } from './phrases.ts'
import { visiblePart } from './visible-part.ts'

const classes = [{ field: 'body', role: undefined }]
const shown = { feed: 1, order: 0, slots: [0], orderedBy: 0, isGrouped: false, times: [], only: undefined } as const
const scope: IndexScope = { name: 'all', classes, editions: new Map([[1, { ...shown, names: new Set<string>() }]]) }

/** The documents of a segment with these texts that have a phrase. */
function found(terms: readonly string[], texts: readonly string[]): number[] {
  const index = new MemoryIndex()
  index.write(texts.map((text, number) => ({ edition: 1, number, times: [number, 0], group: null, texts: [text] })))
  const part = visiblePart(index.segments[0]!, scope)
  const marks = phraseDocuments({ terms, isPrefix: false, field: null }, index, 0, part, classes)
  return [...(marks ?? [])].flatMap((mark, doc) => (mark === 1 ? [doc] : []))
}

test('a phrase is found only where its words are side by side', () => {
  expect(found(['tide', 'gull'], ['tide gull', 'gull tide', 'the tide gull', 'tide and gull'])).toEqual([0, 2])
})

test('a document after the end of a list does not have its word', () => {
  expect(found(['tide', 'gull'], ['tide', 'tide', 'tide', 'grey gull'])).toEqual([])
})
