import { expect, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { remove, SUBJECT, scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import { openPostgresStorage } from '../storage.ts'

test.skipIf(whyNoPostgres() !== undefined)('a warm search sees at once what another process has changed', async () => {
  const { url, release } = await testDatabase()
  const [reading, writing] = await Promise.all([openPostgresStorage({ url }), openPostgresStorage({ url })])
  await seed(writing, ['home', 'work'])
  await writing.writer.write(target(), [upsert({ id: 'a', title: 'gull' }), upsert({ id: 'b', title: 'gull rope' })])
  const targets = [{ scope: scopeFor(['home', 'work']), fields: ['title'], conditions: [] }]
  const keys = async (text: string) => {
    const { found, total } = await reading.search.search(targets, { text, limit: 10 })
    expect(found).toHaveLength(total)
    return found.map(({ key }) => key).toSorted()
  }
  const warm = async () => {
    for (let times = 0; times < 3; times++) await keys('gull')
  }
  await warm()
  expect(await keys('gull')).toEqual(['a', 'b'])
  await writing.writer.write(target(), [upsert({ id: 'c', title: 'gull salt' })])
  expect(await keys('gull')).toEqual(['a', 'b', 'c'])
  await warm()
  await writing.writer.write(target(), [remove('a'), upsert({ id: 'b', title: 'salt' })])
  expect([await keys('gull'), await keys('salt')]).toEqual([['c'], ['b', 'c']])
  await warm()
  // The first record of another connection creates a feed.
  await writing.writer.write(target('work'), [upsert({ id: 'd', title: 'gull' })])
  expect(await keys('gull')).toEqual(['c', 'd'])
  await warm()
  await writing.connections.remove(SUBJECT, 'work')
  expect(await keys('gull')).toEqual(['c'])
  for (const storage of [reading, writing]) await storage.close()
  release()
})
