import { expect, test } from 'vitest'
import { projectJson } from './projection.ts'

test('a long record shows the same members and digits as a short one', () => {
  const start = '{"id":"k\\u00e4","amount":1.10,"number":12345678901234567890,"list":[1.0,"a"],"hidden":7'
  const fields = ['number', 'list', 'id', 'absent', 'amount']
  const short = projectJson(`${start},"text":""}`, fields)
  expect(short).toBe('{"number":12345678901234567890,"list":[1.0,"a"],"id":"kä","amount":1.10}')
  expect(projectJson(`${start},"text":"${'gull '.repeat(20_000)}"}`, fields)).toBe(short)
  expect(() => projectJson(`${start},"text":"${'gull '.repeat(20_000)}`, fields)).toThrow('damaged')
})
