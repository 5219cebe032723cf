import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DelimitedReader } from './delimited-text.ts'

function read(text: string, delimiter = ',', piece = 3) {
  const reader = new DelimitedReader(delimiter)
  const records = []
  for (let at = 0; at < text.length; at += piece) records.push(...reader.add(text.slice(at, at + piece)))
  return [...records, ...reader.end()]
}
const cells = (text: string, delimiter?: string) => read(text, delimiter).map((record) => record.cells)

describe('delimited text', () => {
  it('reads quotes, doubled quotes, line breaks in cells and every line end', () => {
    expect(cells('a,b\r\n"x, y","say ""hi"""\n"two\nlines",z\rlast,')).toEqual([
      ['a', 'b'],
      ['x, y', 'say "hi"'],
      ['two\nlines', 'z'],
      ['last', ''],
    ])
  })

  it('reads a quote in the middle of a bare cell as it is', () => {
    expect(cells('5" disk,c\n"a" ,b\n')).toEqual([
      ['5" disk', 'c'],
      ['a ', 'b'],
    ])
  })

  it('keeps quotes that are not doubled inside a quoted cell', () => {
    const [record] = read('1,"say "hi" now",x\n')
    expect(record).toMatchObject({ cells: ['1', 'say "hi" now', 'x'] })
    expect(record!.fault).toBeUndefined()
    expect(cells('"a" b ""c"" "d",x')).toEqual([['a" b "c" "d', 'x']])
  })

  it('drops no character of a cell that it cannot understand', () => {
    for (const cell of ['"a"b', '"say "hi']) {
      const [record] = read(`${cell},x\n`)
      expect(record).toMatchObject({ cells: [cell, 'x'], fault: expect.stringMatching(/not doubled/) })
    }
    expect(read('"say "hi, you" now",x\n')).toMatchObject([{ cells: ['"say "hi', ' you" now"', 'x'] }])
  })

  it('says in which line a record begins', () => {
    expect(read('a\n"b\nc"\n\nd\n').map(({ line }) => line)).toEqual([1, 2, 5])
  })

  it('loses one line to a quote that nobody closes, not the rest', () => {
    const records = read('id,text\n1,"open\n2,fine\n3,fine\n', ',', 5)
    expect(records.map((record) => record.cells[0])).toEqual(['id', '1', '2', '3'])
    expect(records[1]?.fault).toMatch(/never closed/)
  })

  it('is quick with a thousand quotes that nobody closes', () => {
    const text = Array.from({ length: 1001 }, (_, n) => `${n},"open ${'x'.repeat(200)}`).join('\n')
    const started = performance.now()
    expect(read(text, ',', 65_536).length).toBeGreaterThan(400)
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('holds a cell of a megabyte', () => {
    const large = 'word "quoted" \n'.repeat(70_000)
    expect(read(`"${large.replaceAll('"', '""')}",end\n`, ',', 65_536)[0]?.cells).toEqual([large, 'end'])
  })

  it('gives back any table, however it is cut into pieces', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ü', ',', ';', '"', '\n', '\r', ' ', '😀'), maxLength: 8 })
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 20 }), fc.constantFrom('\n', '\r\n'), (rows, piece, end) => {
        const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',') + end).join('')
        expect(read(text, ',', piece).map((record) => record.cells)).toEqual(rows)
      }),
    )
  })
})
