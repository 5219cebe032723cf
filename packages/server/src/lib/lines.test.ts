import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitLines } from './lines.ts'

type Shown = string | { tooLong: number }

/** The lines of a text, given in pieces that end at the given places. */
async function linesOf(bytes: Buffer, cuts: readonly number[], maxBytes: number): Promise<Shown[]> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  async function* pieces() {
    const reused = Buffer.alloc(bytes.length)
    let from = 0
    for (const end of ends) {
      // One buffer for all pieces, wiped in between: what a line needs of an earlier piece must have been copied.
      reused.fill(0xff)
      bytes.copy(reused, 0, from, end)
      yield reused.subarray(0, end - from)
      from = end
    }
  }
  const lines: Shown[] = []
  for await (const line of splitLines(pieces(), maxBytes)) {
    lines.push('bytes' in line ? line.bytes.toString('utf8') : { tooLong: line.tooLong })
  }
  return lines
}

function oracle(text: string, maxBytes: number): Shown[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop() // the last line needs no newline, and a newline begins no line
  return lines.map((line) => (Buffer.byteLength(line) > maxBytes ? { tooLong: Buffer.byteLength(line) } : line))
}

const text = fc.string({ unit: fc.constantFrom('a', '{', 'é', '😀', '\n', '\n', '\r\n', ' '), maxLength: 80 })

describe('lines', () => {
  test('are the same wherever the pieces of the stream end', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat()), fc.integer({ min: 1, max: 20 }), async (value, cuts, maxBytes) => {
        expect(await linesOf(Buffer.from(value), cuts, maxBytes)).toEqual(oracle(value, maxBytes))
      }),
      { numRuns: 500 },
    )
  })

  test('are the same byte by byte', async () => {
    const value = '{"a":"é"}\n\n{"b":"😀"}\r\nlast'
    const bytes = Buffer.from(value)
    const everywhere = Array.from({ length: bytes.length }, (_, index) => index)
    expect(await linesOf(bytes, everywhere, 100)).toEqual(['{"a":"é"}', '', '{"b":"😀"}\r', 'last'])
  })

  test('keep a carriage return, which JSON takes for white space', async () => {
    const [line] = await linesOf(Buffer.from('{"a":1}\r\n'), [], 100)
    expect(line).toBe('{"a":1}\r')
    expect(JSON.parse(line as string)).toEqual({ a: 1 })
  })

  test('of an empty stream are none, of a newline one empty one', async () => {
    expect(await linesOf(Buffer.alloc(0), [], 10)).toEqual([])
    expect(await linesOf(Buffer.from('\n'), [], 10)).toEqual([''])
  })
})

describe('a line over the limit', () => {
  test.each([[[]], [[2]], [[2, 9, 14]]])('costs none of the others, with pieces ending at %j', async (cuts) => {
    const bytes = Buffer.from('ok\n0123456789a\n0123456789\nend')
    expect(await linesOf(bytes, cuts, 10)).toEqual(['ok', { tooLong: 11 }, '0123456789', 'end'])
  })

  test('is counted to its end, also when it is the last', async () => {
    expect(await linesOf(Buffer.alloc(5000, 'x'), [100, 200, 4000], 10)).toEqual([{ tooLong: 5000 }])
  })

  test('is not held in memory while it passes', async () => {
    const piece = Buffer.alloc(262_144, 'x')
    let most = 0
    async function* endless() {
      for (let count = 0; count < 200; count++) {
        yield piece
        most = Math.max(most, process.memoryUsage().arrayBuffers)
      }
    }
    const before = process.memoryUsage().arrayBuffers
    const lines = []
    for await (const line of splitLines(endless(), 1_000)) lines.push(line)
    expect(lines).toEqual([{ tooLong: 200 * 262_144 }])
    expect(most - before).toBeLessThan(10_000_000) // of 52 million that passed
  })
})
