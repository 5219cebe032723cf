import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idText, type JsonItem, readJson } from './json-stream.ts'
import { memoryInput } from './memory-input.fixture.ts'

async function read(text: string, patterns: string[], piece = 3): Promise<JsonItem[]> {
  const items: JsonItem[] = []
  for await (const item of readJson(memoryInput('x.json', text, piece), patterns)) items.push(item)
  return items
}

describe('a stream of JSON values', () => {
  it('gives what patterns name, in order, and names what it passes over', async () => {
    const text =
      '{"a\\"b": 1, "me": {"x": [1]}, "chats": {"about": "x", "list": [{"id": 9007199254740993, "m": [{"t": "}"}, 2]}, {"id": 2, "m": []}]}}'
    const items = await read(text, ['me', 'chats.list.*.id', 'chats.list.*.m.*'])
    expect(
      items.map((item) => [item.path.join('.'), 'value' in item ? JSON.stringify(item.value) : Object.keys(item)[1]]),
    ).toEqual([
      ['a"b', 'passedOver'],
      ['me', '{"x":[1]}'],
      ['chats.about', 'passedOver'],
      ['chats.list.0.id', '9007199254740993'],
      ['chats.list.0.m.0', '{"t":"}"}'],
      ['chats.list.0.m.1', '2'],
      ['chats.list.1.id', '2'],
    ])
  })

  it('gives back any value, in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 1, max: 9 }), async (text, piece) => {
        expect(await read(text, [''], piece)).toMatchObject([{ path: [], pattern: '', value: JSON.parse(text) }])
      }),
      { numRuns: 300 },
    )
  })

  it('gives back every element of a list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1 }), async (list) => {
        const items = await read(JSON.stringify(list, null, 1), ['*'])
        expect(items.map((item) => ('value' in item ? item.value : item))).toEqual(JSON.parse(JSON.stringify(list)))
      }),
    )
  })

  it('says that a text ends too early, and gives no half value', async () => {
    const text = '[{"a":1},{"b":[1,2]}]'
    for (let end = 1; end < text.length; end++) {
      const items = await read(text.slice(0, end), ['*'])
      expect([end, items.at(-1)]).toMatchObject([end, { cut: true }])
      expect(items.length - 1).toBe(end >= 20 ? 2 : end >= 8 ? 1 : 0)
    }
  })

  it('reads NaN as null, says so, and counts levels', async () => {
    expect(await read('[{"a": [NaN, "NaN"]}]', ['*'])).toEqual([
      { path: [0], pattern: '*', value: { a: [null, 'NaN'] }, depth: 2, isRepaired: true },
    ])
  })

  it('keeps every digit of an id', async () => {
    const [first, second] = await read('[9007199254740993, 12]', ['*'])
    expect([first, second].map((item) => idText((item as { value: unknown }).value))).toEqual([
      '9007199254740993',
      '12',
    ])
    expect([idText(''), idText(null), idText({}), idText('x')]).toEqual([undefined, undefined, undefined, 'x'])
  })
})
