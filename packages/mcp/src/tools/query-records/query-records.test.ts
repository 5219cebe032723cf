import { expect, test } from 'vitest'
import type { ResourceServer } from '../../resource-server/resource-server.ts'
import { queryRecords } from './query-records.ts'

async function textOf(rows: readonly object[]): Promise<string> {
  const server = {
    providerUrl: 'https://data.example.org',
    features: async () => ({ resultBytes: true, maxBytes: true, urls: true, binary: true, around: true }),
    get: async () => ({ status: 200, body: { object: 'list', has_more: false, data: rows }, requestId: undefined }),
  } as unknown as ResourceServer
  return (await queryRecords({ server, tool: 'query_records', args: { stream: 'a' } })).content[0].text
}

test('a deleted record does not bring back the column of the key', async () => {
  const row = (id: string) => ({ id, stream: 'a', connection_id: 'c', data: { id, title: `Title ${id}` } })
  const deleted = { id: 'k3', stream: 'a', connection_id: 'c', deleted: true, deleted_at: '2026-01-01T00:00:00Z' }
  expect((await textOf([row('k1'), deleted, row('k2')])).split('\n').slice(-4)).toEqual([
    'id | title',
    'c/a:k1 | Title k1',
    'c/a:k3 | deleted at 2026-01-01T00:00:00Z',
    'c/a:k2 | Title k2',
  ])
})
