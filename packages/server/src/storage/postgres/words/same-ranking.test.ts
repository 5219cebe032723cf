import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StreamGrant } from '@pdpp/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { repetitions } from '../../../../../../tests/fixtures/repetitions.ts'
import { remove, scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import { openSqliteStorage } from '../../sqlite/storage.ts'
import { openPostgresStorage } from '../storage.ts'

const RECORDS = repetitions(500, 1500)
const QUERIES = repetitions(60, 200)
const CONNECTIONS = ['home', 'work']
const WORDS =
  'harbour harbours gull gulls tide tides lamp rope ropes salt fog oar reef sail sails mast anchor pier quay net nets boat boats'.split(
    ' ',
  )

const GRANTS: readonly (Partial<StreamGrant> | undefined)[] = [
  undefined,
  { fields: ['id', 'at', 'title'] },
  { fields: ['id', 'at', 'title', 'secret'], time_constraint: { field: 'at', since: '2026-01-12T00:00:00Z' } },
  { fields: ['id', 'title'], resources: Array.from({ length: 300 }, (_, n) => `k${n * 3}`) },
]

const words = (max: number) => fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: max })
const record = fc.record({
  id: fc.integer({ min: 0, max: 1000 }).map((n) => `k${n}`),
  at: fc.integer({ min: 1, max: 28 }).map((day) => `2026-01-${String(day).padStart(2, '0')}T08:00:00Z`),
  title: words(12).map((list) => list.join(' ')),
  secret: words(6).map((list) => list.join(' ')),
})
const write = fc.record({
  connection: fc.constantFrom(...CONNECTIONS),
  record,
  isDeleted: fc.integer({ min: 0, max: 9 }),
})
const query = fc
  .tuple(words(5), fc.integer({ min: 0, max: 5 }), fc.constantFrom(...WORDS), fc.constantFrom(...GRANTS))
  .map(([list, kind, other, granted]) => {
    const text = kind === 0 ? `"${list.join(' ')}"` : kind === 1 ? `${list.join(' ')} -${other}` : list.join(' ')
    return { text: kind === 2 ? `${text} ${other.slice(0, 3)}*` : text, granted }
  })

test.skipIf(whyNoPostgres() !== undefined)(
  'both stores answer alike, with updates, deletions and any grant',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'pdpp-same-ranking-'))
    const { url, release } = await testDatabase()
    const stores = [openSqliteStorage(directory), await openPostgresStorage({ url })]
    const writes = fc.sample(write, { numRuns: RECORDS, seed: 11 })
    for (const storage of stores) {
      await seed(storage, CONNECTIONS)
      for (let from = 0; from < writes.length; from += 50)
        for (const [connection, list] of Map.groupBy(writes.slice(from, from + 50), (one) => one.connection))
          await storage.writer.write(
            target(connection),
            list.map((one) => (one.isDeleted === 0 ? remove(one.record.id) : upsert(one.record))),
          )
    }
    for (const { text, granted } of fc.sample(query, { numRuns: QUERIES, seed: 12 })) {
      const scope = scopeFor(CONNECTIONS, granted)
      const fields = ['title', 'secret'].filter((field) => scope.usable === 'all' || scope.usable.includes(field))
      const [sqlite, postgres] = await Promise.all(
        stores.map(async (storage) => {
          const {
            found,
            indexedThrough: _,
            ...rest
          } = await storage.search.search([{ scope, fields, conditions: [] }], { text, limit: 25 })
          return {
            ...rest,
            found: found.map(({ position, number: __, ...hit }) => ({ ...hit, grains: position.grains })),
          }
        }),
      )
      expect(postgres, text).toEqual(sqlite)
    }
    for (const storage of stores) await storage.close()
    release()
    rmSync(directory, { recursive: true, force: true })
  },
  180_000,
)
