import { expect, test } from 'vitest'
import { CheckedTexts, Projection, projectJson } from './projection.ts'

const projection = new Projection({ projection: 'all' }, { fields: [] })

test('notices damage in a text that was listed before', () => {
  const checked = new CheckedTexts()
  const data = '{"id":"k1","text":"gull"}'
  for (let turn = 0; turn < 3; turn++) expect(projection.json({ data, extra: 0 }, checked, 7)).toBe(data)
  for (const damaged of [data.replace('"gull"', 'gull"'), data.slice(0, -1), '', 'x'.repeat(data.length)]) {
    expect(() => projection.json({ data: damaged, extra: 0 }, checked, 7)).toThrow('damaged')
    expect(() => projection.json({ data: damaged, extra: 0 }, checked, 7)).toThrow('damaged')
  }
  expect(projection.json({ data, extra: 0 }, checked, 7)).toBe(data)
})

test('shows another record with the same slot', () => {
  const checked = new CheckedTexts()
  expect(projection.json({ data: '{"id":"a"}', extra: 0 }, checked, 1)).toBe('{"id":"a"}')
  expect(projection.json({ data: '{"id":"b"}', extra: 0 }, checked, 1 + 512)).toBe('{"id":"b"}')
  expect(projection.json({ data: '{"id":"a"}', extra: 0 }, checked, 1)).toBe('{"id":"a"}')
})

test('a long record shows the same members and digits as a short one', () => {
  const start = '{"id":"k\\u00e4","amount":1.10,"number":12345678901234567890,"list":[1.0,"a"],"hidden":7'
  const fields = ['number', 'list', 'id', 'absent', 'amount']
  const short = projectJson(`${start},"text":""}`, fields)
  expect(short).toBe('{"number":12345678901234567890,"list":[1.0,"a"],"id":"kä","amount":1.10}')
  expect(projectJson(`${start},"text":"${'gull '.repeat(20_000)}"}`, fields)).toBe(short)
  expect(() => projectJson(`${start},"text":"${'gull '.repeat(20_000)}`, fields)).toThrow('damaged')
})
