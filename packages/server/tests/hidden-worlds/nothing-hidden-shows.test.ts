// Random worlds that differ only in hundreds of hidden records: every byte of every answer is the same. (checklist 16)

import { expect, it } from 'vitest'
import { repetitions } from '../../../../tests/fixtures/repetitions.ts'
import { type TestServer, testServer } from '../../../../tests/fixtures/server.ts'
import { difference, type Seen, see } from './compare.ts'
import { requestsOf } from './requests.ts'
import { HIDINGS, HiddenWorld } from './world.ts'

const WORLDS = repetitions(4, 1_000)
const ROUNDS = 2
const WORLDS_PER_SERVER = 40
const FIRST_SEED = 20_261_117

async function everything(test: TestServer, token: string, world: HiddenWorld): Promise<Seen[]> {
  const all: Seen[] = []
  for (const request of requestsOf(world)) all.push(...(await see(test, token, request)))
  return all
}

/** Includes bookmarks from before, because hidden changes since then must not count as changes. */
async function bookmarked(test: TestServer, token: string, bookmark: string): Promise<Seen[]> {
  return see(test, token, { path: `/v1/streams/letters/records?changes_since=${bookmark}` })
}

it(
  `keeps every byte of every answer in ${WORLDS} worlds`,
  async () => {
    let requests = 0
    for (let first = 0; first < WORLDS; first += WORLDS_PER_SERVER) {
      const test = await testServer({ publicUrl: 'https://data.example.org' })
      for (let seed = first; seed < Math.min(WORLDS, first + WORLDS_PER_SERVER); seed++) {
        const world = new HiddenWorld(test, FIRST_SEED + seed)
        const token = await world.open()
        const before = await everything(test, token, world)
        const changes = await test.as(token)('GET', '/v1/streams/letters/records?changes_since=beginning&limit=100')
        const bookmark = changes.body.next_changes_since as string
        const unchanged = await bookmarked(test, token, bookmark)
        expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(40)
        for (let round = 0; round < ROUNDS; round++) {
          await world.disturb(round)
          const after = await everything(test, token, world)
          requests += after.length
          const different = after.flatMap((seen, index) => difference(before[index]!, seen) ?? [])
          expect(different, `seed ${FIRST_SEED + seed} (${world.hiding})`).toEqual([])
          expect(after).toHaveLength(before.length)
          expect(await bookmarked(test, token, bookmark)).toEqual(unchanged)
        }
      }
      if (WORLDS > WORLDS_PER_SERVER)
        console.log(`hidden worlds: ${Math.min(WORLDS, first + WORLDS_PER_SERVER)} of ${WORLDS}, 0 differ`)
    }
    console.log(`hidden worlds: ${WORLDS} worlds (${HIDINGS.join(', ')}), ${requests} answers compared, 0 differ`)
  },
  3 * 3_600_000,
)
