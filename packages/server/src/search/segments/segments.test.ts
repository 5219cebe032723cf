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
import { firstTerm, SegmentWords } from './word-part.ts'

const time = fc.oneof(fc.constant(NO_TIME), fc.integer(), fc.constantFrom(1.8e15, -6.2e16, 2.5e17))
const SLOTS = [1, 3, 9]
const document: fc.Arbitrary<IndexedDocument> = fc.integer({ min: 1, max: 3 }).chain((edition) =>
  fc.record({
    edition: fc.constant(edition),
    number: fc.oneof(fc.integer({ min: 1, max: 2 ** 40 }), fc.integer({ min: 1, max: 2 ** 32 + 1 })),
    times: fc.tuple(time, time),
    group: fc.option(fc.constantFrom('a', 'b', 'c')),
    texts: fc.array(fc.oneof(anyText, fc.constantFrom('gull gull rope', 'gull', '')), {
      minLength: SLOTS[edition - 1]!,
      maxLength: SLOTS[edition - 1]!,
    }),
  }),
)
const documents = fc.uniqueArray(document, { selector: ({ edition, number }) => `${edition} ${number}`, maxLength: 12 })

function placesOf(reader: PlacesReader, entry: number): number[] {
  const count = reader.read(entry)
  return [...reader.places.subarray(0, count)]
}

/** The whole content of a segment, in an order that does not depend on how the segment was built. */
function contentOf({ columns, parts }: Segment) {
  const stored = new SegmentWords(parts)
  const words = stored.terms.map((term, at) => {
    const { entries, postings: bytes, places } = stored.termBytes(at)
    const postings = decodePostings(bytes, entries, columns)
    expect(postings.documents).toBe(new Set(postings.docs).size)
    const reader = new PlacesReader(places, postings)
    return [term, Array.from(postings.docs, (doc, entry) => [doc, postings.slots[entry], placesOf(reader, entry)])]
  })
  const { runs, numbers, times, lengths, groups, groupStarts } = columns
  return { runs, numbers: [...numbers], times, lengths, groups, groupStarts, words }
}

describe('segments', () => {
  test('keep every word of every field with its places', () => {
    fc.assert(
      fc.property(documents, (list) => {
        const { columns, parts } = buildSegment(list)
        const words = new SegmentWords(parts)
        const found = new Map<string, number[]>()
        for (const [at, term] of words.terms.entries()) {
          const { entries, postings: bytes, places } = words.termBytes(at)
          const postings = decodePostings(bytes, entries, columns)
          const reader = new PlacesReader(places, postings)
          for (const [entry, doc] of postings.docs.entries()) {
            const { edition, start, slots, lengthsAt } = columns.runs.find((run) => doc >= run.start && doc < run.end)!
            const slot = postings.slots[entry]!
            expect(postings.lengths[entry]).toBe(columns.lengths[lengthsAt + (doc - start) * slots + slot])
            const name = JSON.stringify([edition, columns.numbers[doc], slot, term])
            found.set(name, placesOf(reader, entry))
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
        const read = { ...segment, columns: decodeColumns(encodeColumns(segment.columns)) }
        expect(contentOf(read)).toEqual(contentOf(segment))
        const words = new SegmentWords(segment.parts)
        for (const [at, term] of words.terms.entries()) expect(words.find(term)).toBe(words.termBytes(at))
      }),
      { numRuns: 200 },
    )
  })

  test('need four bytes for the number of a record, if none is larger', () => {
    const bytesOf = (...list: number[]) => {
      const texts = list.map((number) => ({ edition: 1, number, times: [0, 0] as const, group: null, texts: ['gull'] }))
      const { numbers } = decodeColumns(encodeColumns(buildSegment(texts).columns))
      return [numbers.BYTES_PER_ELEMENT, ...numbers]
    }
    expect(bytesOf(1, 2 ** 32 - 1)).toEqual([4, 1, 2 ** 32 - 1])
    expect(bytesOf(1, 2 ** 32)).toEqual([8, 1, 2 ** 32])
  })

  test('merge to the segment of all living documents, in any division', () => {
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

  test('have small parts in the order of their terms', () => {
    const text = (number: number) => `gull${number % 900} gull ${number % 3 ? 'rope gull' : 'ROPE-salt'} №${number}`
    const list = Array.from({ length: 6000 }, (_, number): IndexedDocument => {
      return { edition: 1, number, times: [number % 77, 0], group: number % 5 ? 'a' : null, texts: [text(number), ''] }
    })
    const whole = buildSegment(list)
    expect(whole.parts.length).toBeGreaterThan(2)
    const firsts = whole.parts.map(firstTerm)
    expect(firsts).toEqual([...firsts].sort((a, b) => (a < b ? -1 : 1)))
    for (const { postings, places } of whole.parts) expect(postings.length + places.length).toBeLessThan(70_000)
    const inputs = [0, 1, 2].map((part) => buildSegment(list.filter(({ number }) => number % 3 === part)))
    const merged = mergeSegments(inputs.map((input) => ({ ...input, isDead: () => false })))
    expect(contentOf(merged)).toEqual(contentOf(whole))
    // Reads entries from the last to the first, so that each is found by the offset of its block.
    const { entries, postings: bytes, places } = new SegmentWords(whole.parts).find('gull')!
    const postings = decodePostings(bytes, entries, whole.columns)
    const [forward, backward] = [new PlacesReader(places, postings), new PlacesReader(places, postings)]
    const all = Array.from({ length: entries }, (_, entry) => placesOf(forward, entry))
    for (let entry = entries - 1; entry >= 0; entry--) expect(placesOf(backward, entry)).toEqual(all[entry])
  })

  test('merge to the same order of terms in every script', () => {
    const words = [
      'gull',
      'gulls',
      'gullible',
      'gu',
      'grève',
      'héron',
      '海',
      '鷗鳥',
      '\uD7A3',
      '\uFA0E',
      '\u{1F30A}',
      '\u{20000}',
    ]
    const list = words.map((word, number): IndexedDocument => {
      return {
        edition: 1,
        number,
        times: [0, 0],
        group: null,
        texts: [`${word} ${words[(number + 5) % words.length]}`],
      }
    })
    const inputs = [0, 1, 2].map((part) => buildSegment(list.filter(({ number }) => number % 3 === part)))
    const merged = mergeSegments(inputs.map((input) => ({ ...input, isDead: () => false })))
    const { terms } = new SegmentWords(merged.parts)
    expect(terms).toEqual([...terms].sort())
    expect(contentOf(merged)).toEqual(contentOf(buildSegment(list)))
  })

  test('have each term once, however many there are', () => {
    const words = Array.from({ length: 20_000 }, (_, at) => (at % 7 ? `Word${at}` : `wörd${at}`)).join(' ')
    const list = [1, 2].map((number): IndexedDocument => {
      return { edition: 1, number, times: [0, 0], group: null, texts: [words, words.toUpperCase()] }
    })
    const { terms } = new SegmentWords(buildSegment(list).parts)
    expect([terms.length, new Set(terms).size]).toEqual([20_000, 20_000])
    const ascii = list.map((one) => ({ ...one, texts: one.texts.map((text) => text.replaceAll(/[öÖ]/g, 'o')) }))
    expect(new SegmentWords(buildSegment(ascii).parts).terms).toHaveLength(20_000)
  })

  test('do not depend on what was indexed before', () => {
    fc.assert(
      fc.property(documents, documents, (before, list) => {
        const first = contentOf(buildSegment(list))
        buildSegment(before)
        expect(contentOf(buildSegment(list))).toEqual(first)
      }),
      { numRuns: 50 },
    )
  })

  test('do not depend on a batch that failed half-way', () => {
    const of = (...texts: string[]): IndexedDocument => ({ edition: 1, number: 1, times: [0, 0], group: null, texts })
    const expected = contentOf(buildSegment([of('rope')]))
    expect(() => buildSegment([of('gull rope', 7 as unknown as string)])).toThrow()
    expect(contentOf(buildSegment([of('rope')]))).toEqual(expected)
  })

  test('count a word up to 255 times in a field, and keep all its places', () => {
    const texts = [`${'gull '.repeat(300)}rope gull`]
    const { columns, parts } = buildSegment([{ edition: 1, number: 1, times: [1, 1], group: null, texts }])
    const words = new SegmentWords(parts)
    const counts = words.terms.map((term, at) => [
      term,
      decodePostings(words.termBytes(at).postings, 1, columns).counts[0],
    ])
    expect(counts).toEqual([
      ['gull', 255],
      ['rope', 1],
    ])
    const { postings, places, entries } = words.termBytes(0)
    const found = placesOf(new PlacesReader(places, decodePostings(postings, entries, columns)), 0)
    expect([found.length, found[0], found.at(-1)]).toEqual([301, 0, 301])
  })
})

test('numbers come back as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
      const sums = numbers.map((number) => Math.trunc(number / 4) + 0)
      const writer = new ByteWriter(1)
      for (const [at, sum] of sums.entries()) writer.signed(sum - (sums[at - 1] ?? 0))
      writer.byte(7)
      const reader = new ByteReader(writer.finish())
      const read = new Float64Array(sums.length)
      reader.differences(read)
      expect([[...read], reader.varint()]).toEqual([sums, 7])
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

test('places that end too early are read to their end', () => {
  const postings = {
    ...{ docs: new Uint32Array([1, 2, 3]), slots: new Uint8Array(3) },
    counts: new Uint8Array([2, 2, 1]),
  }
  const reader = new PlacesReader(
    new Uint8Array(0),
    postings as unknown as ConstructorParameters<typeof PlacesReader>[1],
  )
  expect(placesOf(reader, 2)).toEqual([0])
})
