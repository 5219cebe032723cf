// A reader of the format that knows nothing but docs/storage.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeColumns } from './document-columns.ts'
import { buildSegment } from './segment-builder.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../../docs/storage.md'), 'utf8')
const [columns, terms, postings, places] = /```hex\n([0-9a-f\s]+)```/
  .exec(page.slice(page.indexOf('### The bytes of a segment')))![1]!
  .split('\n\n')
  .map((hex) => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')) as [Buffer, Buffer, Buffer, Buffer]

class Bytes {
  at = 0
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
  byte = () => this.bytes[this.at++]!
  varint = (): number => {
    const byte = this.byte()
    return byte < 128 ? byte : byte - 128 + 128 * this.varint()
  }
  signed = () => {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
  text = (length: number) => {
    this.at += length
    return this.bytes.subarray(this.at - length, this.at).toString()
  }
  times = (count: number) => Array.from({ length: count }, () => this.varint())
}

test('the documents of the example are those that the page says', () => {
  const bytes = new Bytes(columns)
  const [count, runs] = [bytes.varint(), bytes.varint()]
  expect([count, runs, ...bytes.times(3)]).toEqual([2, 1, 7, 2, 2])
  expect([bytes.signed(), bytes.signed()]).toEqual([1, 1])
  expect([bytes.byte(), bytes.signed(), bytes.signed(), bytes.byte()]).toEqual([0, 1000, 2000, 1])
  expect([bytes.byte(), bytes.byte(), bytes.byte(), bytes.byte()]).toEqual([1, 4, 0, 4])
  const [groups, hash, documents] = bytes.times(3)
  expect([groups, documents, bytes.at]).toEqual([1, 2, columns.length])
  expect(hash).toBeGreaterThan(0)
})

test('the words of the example stand where the page says', () => {
  const bytes = new Bytes(terms)
  const [count, length] = [bytes.varint(), bytes.varint()]
  const names = bytes.text(length!).split('\n')
  const sizes = Array.from({ length: count! }, () => bytes.times(3))
  expect(bytes.at).toBe(terms.length)
  const patterns = [
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
    [0, 2],
    [0, 3],
    [1, 2],
  ]
  const [postingBytes, placeBytes] = [new Bytes(postings), new Bytes(places)]
  const lists = sizes.map(([entries, size]) => {
    let doc = -1
    const end = postingBytes.at + size!
    const list = Array.from({ length: entries! }, () => {
      const value = postingBytes.varint()
      doc += Math.floor(value / 8)
      const [slot, times] = value % 8 === 7 ? [postingBytes.byte(), postingBytes.byte()] : patterns[value % 8]!
      return { doc, slot: slot!, times: times! }
    })
    expect(postingBytes.at).toBe(end)
    return list
  })
  const found = lists.map((entries, term) => {
    const end = placeBytes.at + sizes[term]![2]!
    const list = entries.map(({ doc, slot, times }) => {
      const steps = placeBytes.times(times)
      return [doc, slot, ...steps.map((_, at) => steps.slice(0, at + 1).reduce((sum, step) => sum + step))]
    })
    expect(placeBytes.at + 4 * (Math.ceil(entries.length / 64) - 1)).toBe(end)
    return [names[term], ...list]
  })
  expect(found).toEqual([
    ['high', [0, 1, 3], [1, 1, 0, 2]],
    ['is', [0, 1, 2]],
    ['the', [0, 1, 0]],
    ['tide', [0, 0, 0], [0, 1, 1], [1, 1, 1]],
    ['water', [1, 1, 3]],
  ])
  expect([postingBytes.at, placeBytes.at]).toEqual([postings.length, places.length])
})

test('the example is just what the index writes', () => {
  const segment = buildSegment([
    { edition: 7, number: 2, times: [3000, 3000], group: 'harbour', texts: ['', 'high tide, high water'] },
    { edition: 7, number: 1, times: [1000, 1000], group: 'harbour', texts: ['Tide', 'the tide is high'] },
  ])
  expect(Buffer.from(encodeColumns(segment.columns)).equals(columns)).toBe(true)
  expect(segment.parts.map((part) => Object.values(part).map((bytes) => Buffer.from(bytes)))).toEqual([
    [terms, postings, places],
  ])
})
