import { setTimeout as sleep } from 'node:timers/promises'
import {
  findFileProblem,
  inspectBlobs,
  inspectChain,
  inspectPages,
  MAIN_FILE,
  RECEIPTS_FILE,
} from '@pdpp/server/offline'
import { expect, it } from 'vitest'
import { openPostgresStorage } from '../../packages/server/src/storage/postgres/storage.ts'
import { connect, oauthServer } from '../../packages/server/tests/oauth/oauth-flow.ts'
import { type RunningServer, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { isLong, repetitions } from '../fixtures/repetitions.ts'
import { storeOf } from '../fixtures/test-store.ts'
import { type Keys, MixedLoad, type Refreshing, refreshed, seeded } from './mixed-load.ts'
import { preparedData } from './prepared-data.ts'

const ROUNDS = repetitions(5, 120)
const SEED = 20_261_117
/** Clients that refresh their tokens. */
const REFRESHING = 4
/** Max. milliseconds of a round, for slow machines. */
const ROUND_MS = 20_000

it(
  `checklist 24: loses nothing acknowledged when killed ${ROUNDS} times`,
  async () => {
    const dataDir = temporaryDirectory()
    const keys = await prepare(dataDir)
    const random = seeded(SEED)
    const load = new MixedLoad(keys, random)
    const restarts: number[] = []
    let server = await startServerProcess({ dataDir })
    for (let round = 0; round < ROUNDS; round++) {
      const before = { ...load.figures }
      const running = load.run(server.url, round)
      // Waits until requests of every kind were answered. Then a random pause makes each kill come at another moment.
      const isBusy = () =>
        (['batches', 'grants', 'reads', 'refreshes', 'blobs'] as const).every(
          (kind) => load.figures[kind] > before[kind],
        ) && Object.values(load.figures).every((count) => count > 0)
      const moment = random() * 300
      await Promise.race([
        running,
        (async () => {
          for (const end = performance.now() + ROUND_MS; !isBusy() && performance.now() < end; ) await sleep(2)
          await sleep(moment)
        })(),
      ])
      await server.kill()
      await running
      const started = performance.now()
      server = await startServerProcess({ dataDir })
      restarts.push(performance.now() - started)
      await revocationsHold(server, load, 3)
    }
    await verify(server, load, keys)
    await server.stop()
    const checked = await checkStore(dataDir)
    expect(checked).toBeGreaterThan(0)
    if (isLong) tell(load, restarts, checked)
  },
  isLong ? 3_600_000 : 300_000,
)

/** The store of a stopped server, with clients that came through the consent page. */
const prepare = (dataDir: string): Promise<Keys> =>
  preparedData(
    dataDir,
    (changes, options) => oauthServer({}, changes, options),
    async (test) => {
      const owner = (await test.server.context.tokens.issueOwner('owner_local')).accessToken
      const { token: client } = await test.grant({ connections: ['home'] })
      const refreshing: Refreshing[] = []
      for (let count = 0; count < REFRESHING; count++) {
        const clientId = await test.register()
        refreshing.push({ clientId, token: (await connect(test, { clientId })).body.refresh_token })
      }
      return { owner, client, refreshing }
    },
  )

/** Checks that nothing in the store is damaged. Returns how many receipts are in the chain. */
async function checkStore(dataDir: string): Promise<number> {
  const { databaseUrl } = await storeOf(dataDir)
  if (databaseUrl !== undefined) {
    const storage = await openPostgresStorage({ url: databaseUrl })
    const chain = await storage.receipts.verify('owner_local')
    await storage.close()
    expect(chain.brokenAt).toBeUndefined()
    return chain.checked
  }
  expect(findFileProblem(dataDir)).toBeUndefined()
  for (const file of [MAIN_FILE, RECEIPTS_FILE] as const) expect(inspectPages(dataDir, file)).toBeUndefined()
  const chain = await inspectChain(dataDir)
  expect(chain.brokenAt).toBeUndefined()
  expect(await inspectBlobs(dataDir, { maxBlobs: 100_000, maxBytes: Number.MAX_SAFE_INTEGER })).toMatchObject({
    missing: [],
    changed: [],
  })
  return chain.checked
}

async function verify(server: RunningServer, load: MixedLoad, keys: Keys): Promise<void> {
  for (const [kind, count] of Object.entries(load.figures)) expect([kind, count > 0]).toEqual([kind, true])
  const owner = { authorization: `Bearer ${keys.owner}` }
  const path = '/v1/streams/messages/records?connection_id=home&changes_since=beginning&limit=100&fields=id,size'
  const stored = new Map(
    (await all(server, path, owner)).map((row) => [row.id as string, row.data?.size as number | undefined]),
  )
  const wrong = [...load.records].flatMap(([key, { sure, maybe }]) => {
    const found = stored.get(key) ?? 'gone'
    const may = [...maybe, ...(sure === undefined ? ['gone' as const] : [sure])]
    return may.includes(found) ? [] : [`${key} is ${found}, may be ${may}`]
  })
  expect(wrong).toEqual([])
  const count = await get(server, '/v1/streams/messages/records?connection_id=home&count=exact&limit=1', owner)
  const live = await all(server, '/v1/streams/messages/records?connection_id=home&limit=100&fields=id', owner)
  expect(count.meta.count.value).toBe(live.length)
  const receipts = await all(server, '/v1/owner/receipts?limit=100', owner)
  const written = new Set(receipts.map((receipt) => receipt.request_id))
  expect([...load.reads].filter((id) => !written.has(id))).toEqual([])
  await revocationsHold(server, load, Number.POSITIVE_INFINITY)
  for (const one of keys.refreshing) expect(await refreshed(server.url, one)).toMatch(/\w/)
}

/** Revoked grants stay revoked, and the others can still read. The newest ones come first. */
async function revocationsHold(server: RunningServer, load: MixedLoad, most: number): Promise<void> {
  const known = [...load.grants].filter(([, { maybe }]) => maybe.size === 0).toReversed()
  for (const state of ['revoked', 'active'] as const)
    for (const [id, { token, sure }] of known.filter(([, one]) => one.sure === state).slice(0, most)) {
      const { status } = await fetch(`${server.url}/v1/schema`, { headers: { authorization: `Bearer ${token}` } })
      expect([id, sure, status]).toEqual([id, state, state === 'active' ? 200 : 403])
    }
}

function tell({ figures, records }: MixedLoad, restarts: readonly number[], chained: number): void {
  const sorted = restarts.toSorted((a, b) => a - b)
  const at = (share: number) => `${Math.round(sorted[Math.floor(share * (sorted.length - 1))]!)} ms`
  const parts = Object.entries(figures).map(([kind, count]) => `${count.toLocaleString('en')} ${kind}`)
  console.log(
    `${restarts.length} kills (seed ${SEED}): ${records.size.toLocaleString('en')} records in ${parts.join(', ')}; ${chained.toLocaleString('en')} receipts in an intact chain; nothing lost. Restart: half within ${at(0.5)}, all within ${at(1)}.`,
  )
}

async function get(server: RunningServer, path: string, headers: Record<string, string>): Promise<any> {
  return (await fetch(server.url + path, { headers })).json()
}

async function all(server: RunningServer, path: string, headers: Record<string, string>): Promise<any[]> {
  const rows: any[] = []
  for (let cursor = ''; ; ) {
    const body = await get(server, path + (cursor && `&cursor=${encodeURIComponent(cursor)}`), headers)
    if (!body.data) throw new Error(JSON.stringify(body))
    rows.push(...body.data)
    if (!body.next_cursor) return rows
    cursor = body.next_cursor
  }
}
