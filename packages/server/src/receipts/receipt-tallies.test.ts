import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteStorage } from '../storage/sqlite/storage.ts'
import { ReceiptTallies } from './receipt-tallies.ts'

const DAY = 86_400_000
const NOW = 100 * DAY + 5000

/** A store with `n` reads on day 89 + `n`, and the queries that it received. */
async function store() {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-tallies-'))
  const storage = openSqliteStorage(directory)
  onTestFinished(async () => {
    await storage.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const nothing = {
    clientId: 'cli_a',
    grantId: 'grt_a',
    surface: 'rest',
    operation: 'records',
    connectorKey: 'journal',
  }
  const rest = {
    stream: 'entries',
    connections: [],
    fields: [],
    records: [],
    bytes: 1,
    outcome: 'ok',
    requestId: 'req',
  }
  for (let day = 90; day <= 100; day++)
    for (let n = 0; n < day - 89; n++)
      storage.receipts.append({ at: day * DAY + n, subjectId: 'me', ...nothing, ...rest })
  await storage.receipts.append({ at: 100 * DAY, subjectId: 'somebody_else', ...nothing, ...rest })
  const queries: [number, number | undefined][] = []
  const tally: typeof storage.receipts.tally = (subjectId, query) => {
    queries.push([query.since / DAY, query.until === undefined ? undefined : query.until / DAY])
    return storage.receipts.tally(subjectId, query)
  }
  return { queries, tallies: new ReceiptTallies({ tally }) }
}

it('counts past days once, and today each time', async () => {
  const { queries, tallies } = await store()
  const days = async (first: number) => (await tallies.since('me', first * DAY, NOW)).map(({ reads }) => reads + 89)
  expect(await days(97)).toEqual([100, 99, 98, 97])
  expect(await days(97)).toEqual([100, 99, 98, 97])
  expect(await days(95)).toEqual([100, 99, 98, 97, 96, 95])
  expect(await days(100)).toEqual([100])
  expect(queries).toEqual([
    [97, 100],
    [100, undefined],
    [100, undefined],
    [95, 97],
    [100, undefined],
    [100, undefined],
  ])
  tallies.forget('me')
  await days(99)
  expect(queries.slice(-2)).toEqual([
    [99, 100],
    [100, undefined],
  ])
})
