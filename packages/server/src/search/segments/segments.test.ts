import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eachToken } from '../analysis/analyser.ts'
import { anyText } from '../text.fixture.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { decodeColumns, encodeColumns, NO_TIME } from './document-columns.ts'
import { LENGTH_OF, lengthCode } from './length-code.ts'
import { PlacesReader } from './places-codec.ts'
import { decodePostings, entryOf } from './postings-codec.ts'
import type { IndexedDocument, Segment } from './segment.ts'
import { buildSegment } from './segment-builder.ts'
import { mergeSegments } from './segment-merge.ts'
import { encodeWords, SmallWords } from './small-segment.ts'

const time = fc.oneof(fc.constant(NO_TIME), fc.integer(), fc.constantFrom(1.8e15, -6.2e16, 2.5e17))
const SLOTS = [1, 3, 9]
const document: fc.Arbitrary<IndexedDocument> = fc.integer({ min: 1, max: 3 }).chain((edition) =>
  fc.record({
    edition: fc.constant(edition),
    number: fc.integer({ min: 1, max: 2 ** 40 }),
    times: fc.tuple(time, time),
    group: fc.option(fc.constantFrom('a', 'b', 'c')),
    texts: fc.array(fc.oneof(anyText, fc.constantFrom('gull gull rope', 'gull', '')), {
      minLength: SLOTS[edition - 1]!,
      maxLength: SLOTS[edition - 1]!,
    }),
  }),
)
const documents = fc.uniqueArray(document, { selector: ({ edition, number }) => `${edition} ${number}`, maxLength: 12 })

/** Everything that a segment says, in an order that does not depend on how it was made. */
function contentOf({ columns, terms, termBytes }: Segment) {
  const words = terms.map((term, at) => {
    const { entries, documents: count, postings: bytes, places } = termBytes(at)
    const postings = decodePostings(bytes, entries)
    expect(postings.documents).toBe(count)
    const reader = new PlacesReader(places, postings)
    return [term, Array.from(postings.docs, (doc, entry) => [doc, postings.slots[entry], [...reader.read(entry)]])]
  })
  const { runs, numbers, times, lengths, groups, groupStarts } = columns
  return { runs, numbers, times, lengths, groups, groupStarts, words }
}

describe('segments', () => {
  test('keep every word of every field with its places', () => {
    fc.assert(
      fc.property(documents, (list) => {
        const { columns, terms, termBytes } = buildSegment(list)
        const found = new Map<string, number[]>()
        for (const [at, term] of terms.entries()) {
          const { entries, postings: bytes, places } = termBytes(at)
          const postings = decodePostings(bytes, entries)
          const reader = new PlacesReader(places, postings)
          for (const [entry, doc] of postings.docs.entries()) {
            const { edition } = columns.runs.find(({ start, end }) => doc >= start && doc < end)!
            found.set(JSON.stringify([edition, columns.numbers[doc], postings.slots[entry], term]), [
              ...reader.read(entry),
            ])
            expect(entryOf(postings, doc)).toBe(postings.docs.indexOf(doc))
          }
        }
        const expected = new Map<string, number[]>()
        for (const { edition, number, texts } of list)
          for (const [slot, text] of texts.entries()) {
            let place = 0
            eachToken(text, (term) => {
              const name = JSON.stringify([edition, number, slot, term])
              expected.set(name, [...(expected.get(name) ?? []), place++])
            })
          }
        expect(new Map([...found].sort())).toEqual(new Map([...expected].sort()))
      }),
      { numRuns: 200 },
    )
  })

  test('are the same after they were written and read', () => {
    fc.assert(
      fc.property(documents, (list) => {
        const segment = buildSegment(list)
        const words = new SmallWords(encodeWords(segment))
        const read = {
          columns: decodeColumns(encodeColumns(segment.columns)),
          terms: words.terms,
          termBytes: words.termBytes,
        }
        expect(contentOf(read)).toEqual(contentOf(segment))
        for (const term of segment.terms)
          expect(words.find(term)).toEqual(segment.termBytes(segment.terms.indexOf(term)))
      }),
      { numRuns: 200 },
    )
  })

  test('merge to the segment of all living documents, however they were divided', () => {
    const part = fc.record({ document, part: fc.integer({ min: 0, max: 3 }), isDead: fc.boolean() })
    const parts = fc.uniqueArray(part, {
      selector: ({ document: { edition, number } }) => `${edition} ${number}`,
      maxLength: 16,
    })
    fc.assert(
      fc.property(parts, (list) => {
        const inputs = [0, 1, 2, 3].map((wanted) => {
          const chosen = list.filter(({ part: at }) => at === wanted)
          const segment = buildSegment(chosen.map((one) => one.document))
          const dead = new Set(
            chosen.filter(({ isDead }) => isDead).map(({ document: { edition, number } }) => `${edition} ${number}`),
          )
          const nameOf = (doc: number) =>
            `${segment.columns.runs.find(({ start, end }) => doc >= start && doc < end)!.edition} ${segment.columns.numbers[doc]}`
          return { ...segment, isDead: (doc: number) => dead.has(nameOf(doc)) }
        })
        const living = list.filter(({ isDead }) => !isDead).map((one) => one.document)
        expect(contentOf(mergeSegments(inputs))).toEqual(contentOf(buildSegment(living)))
      }),
      { numRuns: 300 },
    )
  })

  test('count a word up to 255 times in a field, and keep all its places', () => {
    const texts = [`${'gull '.repeat(300)}rope gull`]
    const { terms, termBytes } = buildSegment([{ edition: 1, number: 1, times: [1, 1], group: null, texts }])
    const counts = terms.map((term, at) => [term, decodePostings(termBytes(at).postings, 1).counts[0]])
    expect(counts).toEqual([
      ['gull', 255],
      ['rope', 1],
    ])
    const { postings, places, entries } = termBytes(0)
    const found = new PlacesReader(places, decodePostings(postings, entries)).read(0)
    expect([found.length, found[0], found.at(-1)]).toEqual([301, 0, 301])
  })
})

test('numbers come back as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
      const writer = new ByteWriter(1)
      for (const number of numbers) writer.signed(Math.trunc(number / 2))
      const reader = new ByteReader(writer.finish())
      expect(numbers.map(() => reader.signed())).toEqual(numbers.map((number) => Math.trunc(number / 2) + 0))
    }),
  )
})

test('lengths are exact up to 127 words and within five per cent beyond', () => {
  for (let words = 0; words <= 127; words++) expect(LENGTH_OF[lengthCode(words)]).toBe(words)
  for (const words of [128, 1000, 20_000, 50_000]) {
    const known = LENGTH_OF[lengthCode(words)]!
    expect(known).toBeLessThanOrEqual(words)
    expect(known).toBeGreaterThan(words * 0.94)
  }
})
