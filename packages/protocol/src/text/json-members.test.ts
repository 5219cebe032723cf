import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonMembers } from './json-members.ts'

const names = fc.constantFrom('id', 'text', 'a"b', '\\', 'ä', '')
const objects = fc.dictionary(names, fc.jsonValue(), { noNullPrototype: true })

test('has the members that a parser finds, however the text is written', () => {
  fc.assert(
    fc.property(
      objects,
      fc.constantFrom(undefined, 1, '\t'),
      fc.subarray(['id', 'text', '']),
      (object, space, asked) => {
        const found = jsonMembers(JSON.stringify(object, null, space), new Set(asked))
        const expected = Object.entries(object).filter(([name]) => asked.includes(name))
        const parsed = [...found].map(([name, json]) => [name, JSON.parse(json)])
        expect(parsed).toEqual(JSON.parse(JSON.stringify(expected)))
      },
    ),
  )
})

test('keeps the text of numbers, and the last of two members', () => {
  const json = '{"id":1.10,"n":12345678901234567890,"id":2.50}'
  expect([...jsonMembers(json, new Set(['id', 'n']))]).toEqual([
    ['id', '2.50'],
    ['n', '12345678901234567890'],
  ])
})

test('refuses what is no object, or ends too early', () => {
  const long = JSON.stringify({ id: 'k', list: [{ text: 'a\\"}' }], text: 'x'.repeat(9000), last: null })
  const asked = new Set(['id'])
  expect([...jsonMembers(long, asked)]).toEqual([['id', '"k"']])
  for (let end = 0; end < long.length; end += end > 60 && end < 9000 ? 997 : 1)
    expect(() => jsonMembers(long.slice(0, end), asked), String(end)).toThrow(SyntaxError)
  for (const damaged of ['[]', '{"a":nul}', '{"a":1,}', '{"a" 1}', '{a:1}', '{"a":1} x', '{"a":"\u0001"}', '{"a":[1}}'])
    expect(() => jsonMembers(damaged, asked), damaged).toThrow(SyntaxError)
})
