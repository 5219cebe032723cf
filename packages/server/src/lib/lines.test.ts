import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitLines } from './lines.ts'

type ReadLine = string | { tooLong: number }

/** The lines of a text that arrives in chunks, cut at the given offsets. */
async function linesOf(bytes: Buffer, cuts: readonly number[], maxBytes: number): Promise<ReadLine[]> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  async function* chunks() {
    const reused = Buffer.alloc(bytes.length)
    let from = 0
    for (const end of ends) {
      // All chunks share one buffer that is overwritten in between, so this fails if kept bytes are not copied.
      reused.fill(0xff)
      bytes.copy(reused, 0, from, end)
      yield reused.subarray(0, end - from)
      from = end
    }
  }
  const lines: ReadLine[] = []
  for await (const ended of splitLines(chunks(), maxBytes)) {
    for (const line of ended) lines.push('bytes' in line ? line.bytes.toString('utf8') : { tooLong: line.tooLong })
  }
  return lines
}

function oracle(text: string, maxBytes: number): ReadLine[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop() // A newline at the end does not begin another line.
  return lines.map((line) => (Buffer.byteLength(line) > maxBytes ? { tooLong: Buffer.byteLength(line) } : line))
}

const text = fc.string({ unit: fc.constantFrom('a', '{', 'é', '😀', '\n', '\n', '\r\n', ' '), maxLength: 80 })

describe('lines', () => {
  test('are the same wherever the chunks of the stream end', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat()), fc.integer({ min: 1, max: 20 }), async (value, cuts, maxBytes) => {
        expect(await linesOf(Buffer.from(value), cuts, maxBytes)).toEqual(oracle(value, maxBytes))
      }),
      { numRuns: 500 },
    )
  })

  test('are the same if every chunk is one byte', async () => {
    const value = '{"a":"é"}\n\n{"b":"😀"}\r\nlast'
    const bytes = Buffer.from(value)
    const everywhere = Array.from({ length: bytes.length }, (_, index) => index)
    expect(await linesOf(bytes, everywhere, 100)).toEqual(['{"a":"é"}', '', '{"b":"😀"}\r', 'last'])
  })

  test('keep a carriage return, which JSON treats as white space', async () => {
    const [line] = await linesOf(Buffer.from('{"a":1}\r\n'), [], 100)
    expect(line).toBe('{"a":1}\r')
    expect(JSON.parse(line as string)).toEqual({ a: 1 })
  })

  test('are none in an empty stream, and one empty line in a newline', async () => {
    expect(await linesOf(Buffer.alloc(0), [], 10)).toEqual([])
    expect(await linesOf(Buffer.from('\n'), [], 10)).toEqual([''])
  })
})

describe('a line over the limit', () => {
  test.each([[[]], [[2]], [[2, 9, 14]]])('does not affect other lines, with chunks ending at %j', async (cuts) => {
    const bytes = Buffer.from('ok\n0123456789a\n0123456789\nend')
    expect(await linesOf(bytes, cuts, 10)).toEqual(['ok', { tooLong: 11 }, '0123456789', 'end'])
  })

  test('is counted to its end if it is the last line', async () => {
    expect(await linesOf(Buffer.alloc(5000, 'x'), [100, 200, 4000], 10)).toEqual([{ tooLong: 5000 }])
  })

  test('is not held in memory', async () => {
    const piece = Buffer.alloc(262_144, 'x')
    let maxBytesHeld = 0
    async function* endless() {
      for (let count = 0; count < 200; count++) {
        yield piece
        maxBytesHeld = Math.max(maxBytesHeld, process.memoryUsage().arrayBuffers)
      }
    }
    const before = process.memoryUsage().arrayBuffers
    const lines = []
    for await (const ended of splitLines(endless(), 1_000)) lines.push(...ended)
    expect(lines).toEqual([{ tooLong: 200 * 262_144 }])
    expect(maxBytesHeld - before).toBeLessThan(10_000_000) // The stream has 52 million bytes.
  })
})
