import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'vitest'
import { SUBJECT, scopeFor, seed, target, upsert } from '../contract/contract.fixture.ts'
import type { Storage } from '../contract.ts'

const RECORDS = 1300
const UUID = '3f2a91c0-4711-4abc-9def-0123456789ab'
export const PIECES = UUID.replaceAll('-', ' ')
export const WHOLE = UUID

/**
 * A store whose terms are of the first analyser, which split an id into its pieces. `makeOlder` changes the closed store:
 * the records get the id in place of its pieces, and the editions lose the version of their terms.
 */
export async function renewsOlderTerms(open: () => Promise<Storage>, makeOlder: () => Promise<void>): Promise<void> {
  const written = await open()
  await seed(written, ['home', 'work'])
  const rows = Array.from({ length: RECORDS }, (_, n) => upsert({ id: `k${n}`, title: `tile ${n}` }))
  await written.writer.write(target('home'), [...rows, upsert({ id: 'id', title: `paid ${PIECES}` })])
  await written.writer.write(target('work'), [upsert({ id: 'plot', title: 'plot 4711' })])
  await written.close()
  await makeOlder()

  const storage = await open()
  const targets = [{ scope: scopeFor(['home', 'work']), fields: ['title'], conditions: [] }]
  const keys = async (text: string) => {
    const { found, building } = await storage.search.search(targets, { text, limit: 5 })
    return [found.map(({ key }) => key).toSorted(), building]
  }
  // Older terms answer until they are renewed.
  expect(await keys('4711')).toEqual([['id', 'plot'], 0])
  let [isDone, turns] = [false, 0]
  const inTurns = async () => {
    while (await storage.writer.resume(1)) turns++
  }
  const resumed = inTurns().finally(() => {
    isDone = true
  })
  let building = 0
  for (; !isDone; await nextTurn()) {
    const { building: now } = await storage.search.search(targets, { text: 'tile', limit: 1 })
    building = Math.max(building, now)
  }
  await resumed
  expect(building).toBe(1)
  expect(turns).toBeGreaterThan(0)
  expect(await keys('4711')).toEqual([['plot'], 0])
  expect(await keys(WHOLE)).toEqual([['id'], 0])
  expect(await keys(WHOLE.toUpperCase().replaceAll('-', ''))).toEqual([['id'], 0])
  expect((await storage.search.search(targets, { text: 'tile', limit: 1 })).total).toBe(RECORDS)
  expect(await storage.upkeep.indexState(SUBJECT)).toMatchObject({ building: 0, waiting: 0 })
  await storage.close()
}
