import { expect, test } from 'vitest'
import { mailServer, message, messages } from '../../../tests/fixtures/server.ts'
import { newPerson } from './command.ts'

const rows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

test('--since-last lists changes, and starts over without a history', async () => {
  const mail = await mailServer()
  await mail.ingest('messages', 'home', messages(3))
  const me = newPerson()
  const { token } = await mail.grant({ connections: ['home'] })
  await me.run(['connect', mail.server.url, '--with-token'], { input: token })
  const feed = ['read', 'records', 'messages', '--since-last', '--jsonl']
  expect(rows((await me.run(feed)).stdout).map(({ id }) => id)).toEqual(['m0', 'm1', 'm2'])
  await mail.ingest('messages', 'home', [message(3), message(1, { subject: 'Changed' })])
  await mail.owner('DELETE', '/v1/streams/messages/records/m0?connection_id=home')
  const changed = rows((await me.run(feed)).stdout)
  expect(changed.map(({ id, deleted }) => (deleted ? `-${id}` : id)).toSorted()).toEqual(['-m0', 'm1', 'm3'])
  expect((await me.run(feed)).stdout).toBe('')
  await mail.ingest('messages', 'home', [message(9)])
  const table = await me.run(['read', 'records', 'messages', '--since-last'])
  expect(table.stdout).toMatch(/^KEY[\s\S]*\nm9 /)

  await mail.owner('DELETE', '/v1/streams/messages/records?connection_id=home')
  await mail.ingest('messages', 'home', messages(2))
  const lost = await me.run(feed)
  expect([lost.code, lost.stdout]).toEqual([1, ''])
  expect(lost.stderr).toContain('--since-last --restart')
  expect(rows((await me.run([...feed, '--restart'])).stdout).map(({ id }) => id)).toEqual(['m0', 'm1'])
})
