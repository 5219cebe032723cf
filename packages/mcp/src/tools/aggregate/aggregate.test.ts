import { expect } from 'vitest'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import { fits } from '../../calling/result.ts'
import type { ResourceServer } from '../../resource-server/resource-server.ts'
import { aggregate } from './aggregate.ts'

function answering(body: object) {
  const asked: string[] = []
  const server = {
    providerUrl: 'https://data.example.org',
    get: async ({ path }: { path: string }) => {
      asked.push(path)
      return { status: 200, body, requestId: undefined }
    },
  } as unknown as ResourceServer
  return { server, asked }
}

verifies('003.13.2', 'groups that do not fit stay counted in other_count', async () => {
  const groups = Array.from({ length: 100 }, (_, n) => ({ key: `${n} ${'x'.repeat(400)}`, count: n + 1 }))
  const body = { metric: 'count', stream: 'a', group_by: 'b', filtered_record_count: 5_057, group_count: 101 }
  const { server, asked } = answering({ ...body, other_count: 7, groups })
  const args = { stream: 'a', metric: 'count', group_by: ['b'], limit: 100 }
  const result = await aggregate({ server, tool: 'aggregate', args })
  const { data } = result.structuredContent as { data: { groups: { count: number }[]; other_count: number } }
  expect(asked).toHaveLength(1)
  expect(fits(result)).toBe(true)
  expect(data.groups.length).toBeGreaterThan(10)
  expect(data.groups.reduce((sum, { count }) => sum + count, data.other_count)).toBe(5_057)
  expect(result.content[0].text).toContain(`${data.groups.length} of 101 groups. other_count=${data.other_count}: `)
})

verifies('003.12.2', 'the number of groups is not the number of those shown', async () => {
  const body = {
    metric: 'count',
    stream: 'a',
    group_by: 'b',
    group_count: 2,
    other_count: 4,
    groups: [{ key: 'x', count: 6 }],
  }
  const args = { stream: 'a', metric: 'count', group_by: ['b'], limit: 1 }
  const { content } = await aggregate({ server: answering(body).server, tool: 'aggregate', args })
  expect(content[0].text).toContain('1 of 2 groups.')
  const one = { ...body, group_count: 1, other_count: 0 }
  const { content: alone } = await aggregate({ server: answering(one).server, tool: 'aggregate', args })
  expect(alone[0].text).toContain('1 of 1 group.')
})

verifies('003.12.1', 'a filter that a server does not repeat is told as it was sent', async () => {
  const { server } = answering({ metric: 'count', stream: 'a', value: 3 })
  const args = { stream: 'a', metric: 'count', filter: { b: 'c', d: { gte: 5 } } }
  const { content } = await aggregate({ server, tool: 'aggregate', args })
  expect(content[0].text).toBe('count (a) = 3.\nFilter: b = c, d >= 5.')
})

const textOf = async (body: object, args: object): Promise<string> => {
  const call = { server: answering(body).server, tool: 'aggregate', args: { stream: 'a', metric: 'count', ...args } }
  return (await aggregate(call)).content[0].text
}

verifies('003.12.2', 'keys that differ look different, and can be copied into a filter', async () => {
  const keys = [
    'food',
    'food ',
    ' food',
    'a  b',
    'a\nb',
    'a\u2028b',
    '',
    '""',
    '(none)',
    null,
    'a / b',
    'x: 5',
    'plain text',
  ]
  const groups = keys.map((key) => ({ key, count: 2 }))
  const body = { metric: 'count', stream: 'a', group_by: 'b', group_count: keys.length, other_count: 0, groups }
  const [, ...lines] = (await textOf(body, { group_by: ['b'] })).split('\n')
  expect(lines).toHaveLength(keys.length)
  const shown = lines.map((line) => line.slice(0, -': 2'.length))
  expect(new Set(shown).size).toBe(keys.length)
  const read = shown.map((label) => (label === '(none)' ? null : label.startsWith('"') ? JSON.parse(label) : label))
  expect(read).toEqual(keys)
})

verifies('003.12.2', 'a long key is as long in the text as in the structured output', async () => {
  const long = 'y'.repeat(400)
  const groups = [
    { key: `${long}1`, count: 2 },
    { key: `${'z'.repeat(500)}…`, key_truncated: true, count: 1 },
  ]
  const body = { metric: 'count', stream: 'a', group_by: 'b', group_count: 2, other_count: 0, groups }
  const [, first, second] = (await textOf(body, { group_by: ['b'] })).split('\n')
  expect(first).toBe(`${long}1: 2`)
  expect(second).toBe(`${'z'.repeat(500)}… (cut, so no filter): 1`)
})

verifies('003.12.2', 'an hour that occurs twice shows its offset', async () => {
  const groups = [
    { key: '2026-10-25T02:00', starts_at: '2026-10-25T00:00:00Z', count: 2 },
    { key: '2026-10-25T02:00', starts_at: '2026-10-25T01:00:00Z', count: 1 },
  ]
  const times = {
    metric: 'count',
    stream: 'a',
    group_by_time: 't',
    granularity: 'hour',
    group_count: 2,
    other_count: 0,
  }
  const text = await textOf({ ...times, time_zone: 'Europe/Berlin', groups }, { group_by_time: 't' })
  expect(text.split('\n').slice(1)).toEqual(['2026-10-25T02:00+02:00: 2', '2026-10-25T02:00+01:00: 1'])
  const pairs = [{ keys: ['x', '2026-07-01T02:30'], starts_at: '2026-07-01T05:00:00Z', count: 1 }]
  const newfoundland = { ...times, group_by: 'b', time_zone: 'America/St_Johns', groups: pairs }
  expect(await textOf(newfoundland, { group_by: ['b'], group_by_time: 't' })).toContain(
    '\nx / 2026-07-01T02:30-02:30: 1',
  )
  const utc = [{ key: '2026-10-25T02:00', starts_at: '2026-10-25T02:00:00Z', count: 2 }]
  expect(await textOf({ ...times, time_zone: 'UTC', groups: utc }, { group_by_time: 't' })).toContain(
    '\n2026-10-25T02:00: 2',
  )
})

verifies('003.13.2', 'a larger limit is suggested only if it can show more groups', async () => {
  const groups = (count: number, key = 'k') =>
    Array.from({ length: count }, (_, n) => ({ key: `${key}${n}`, count: 1 }))
  const body = { metric: 'count', stream: 'a', group_by: 'b', group_count: 300, other_count: 9 }
  expect(await textOf({ ...body, groups: groups(25) }, { group_by: ['b'] })).toContain('; raise limit or narrow.')
  for (const shown of [groups(100), groups(60, 'x'.repeat(400))])
    expect(await textOf({ ...body, groups: shown }, { group_by: ['b'] })).toContain('; narrow with filter.')
})

verifies('003.12.1', 'the filter is repeated exactly, with spaces at its ends', async () => {
  const text = await textOf({ metric: 'count', stream: 'a', value: 3, filter: { b: 'food ', c: '' } }, {})
  expect(text).toBe('count (a) = 3.\nFilter: b = "food ", c = "".')
})
