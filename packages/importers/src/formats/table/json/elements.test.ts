import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonElements } from './elements.ts'

function read(text: string, piece: number) {
  const elements = new JsonElements()
  const found = []
  for (let at = 0; at < text.length; at += piece) found.push(...elements.add(text.slice(at, at + piece)))
  return { found: found.map(({ list, text }) => [list, JSON.parse(text)]), ended: elements.ended }
}

it('finds the elements of a list in any layout and pieces', () => {
  const space = fc.constantFrom(undefined, 1, '\t')
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      space,
      (list, piece, indent) => {
        const expected = JSON.parse(JSON.stringify(list)).map((value: unknown) => ['', value])
        expect(read(JSON.stringify(list, null, indent), piece)).toEqual({ found: expected, ended: true })
      },
    ),
  )
})

it('finds the lists of an object, and passes over its other members', () => {
  const text =
    '\ufeff{"about": {"list": [1, 2]}, "chats": [{"id": 1, "tags": ["a]", "b\\""]}, {"id": 2}], "n": 3, "none": [], "x": [7]}'
  for (let piece = 1; piece < 12; piece++) {
    expect(read(text, piece)).toEqual({
      found: [
        ['chats', { id: 1, tags: ['a]', 'b"'] }],
        ['chats', { id: 2 }],
        ['x', 7],
      ],
      ended: true,
    })
  }
})

it('says that a text ends in the middle', () => {
  expect(read('[{"a": 1}, {"a"', 4)).toEqual({ found: [['', { a: 1 }]], ended: false })
})
