import { expect, test } from 'vitest'
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

test('003.13.2 groups that do not fit are counted in other_count, after one read', async () => {
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

test('003.12.2 the text shows the total number of groups', async () => {
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

test('003.12.1 shows the sent filter if the server does not repeat it', async () => {
  const { server } = answering({ metric: 'count', stream: 'a', value: 3 })
  const args = { stream: 'a', metric: 'count', filter: { b: 'c', d: { gte: 5 } } }
  const { content } = await aggregate({ server, tool: 'aggregate', args })
  expect(content[0].text).toBe('count (a) = 3.\nFilter: b = c, d >= 5.')
})
