import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type RunningServer, runPdpp, startServer, temporaryDirectory } from './processes.ts'

const ROUNDS = process.env['PDPP_LONG_TESTS'] ? 50 : 8
const BATCH = 50

const declaration = {
  source: { kind: 'connector', id: 'https://tests.example/log' },
  connector_key: 'log',
  declaration_version: '1',
  display: { name: 'Log' },
  streams: [
    {
      name: 'lines',
      semantics: 'mutable_state',
      schema: {
        type: 'object',
        properties: { id: { type: 'string' }, text: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
      },
      primary_key: ['id'],
      cursor_field: 'at',
      consent_time_field: 'at',
    },
  ],
}

it(`checklist 24: loses nothing it acknowledged when killed under load, ${ROUNDS} rounds`, async () => {
  const dataDir = temporaryDirectory()
  const { stdout } = await runPdpp(['owner', 'token'], { dataDir })
  const owner = { authorization: `Bearer ${stdout.trim()}` }
  let server = await startServer({ dataDir })
  const post = (path: string, body: unknown) =>
    fetch(server.url + path, { method: 'POST', headers: owner, body: JSON.stringify(body) })
  await post('/connectors', declaration)
  await post('/v1/owner/connections', { connector_key: 'log', connection_id: 'log' })
  const { access_token: token } = (await (
    await post('/v1/owner/grants', { client_name: 'Reader', connections: ['log'] })
  ).json()) as any
  const client = { authorization: `Bearer ${token}` }

  const acknowledged = new Set<string>()
  const answered = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const writers = [0, 1].map((writer) => write(server, owner, `${round}-${writer}`, acknowledged))
    const readers = [0, 1, 2].map((reader) => read(server, client, `r-${round}-${reader}`, answered))
    // However slow the machine is: something of this round was answered, then it is killed at another moment each time.
    const enough = () => acknowledged.size > (round + 1) * BATCH && answered.size > (round + 1) * 3
    await expect.poll(enough, { timeout: 60_000, interval: 1 }).toBe(true)
    await sleep((round * 83) % 260)
    await server.kill()
    await Promise.all([...writers, ...readers])
    server = await startServer({ dataDir })
  }

  expect(acknowledged.size).toBeGreaterThan(ROUNDS * BATCH)
  expect(answered.size).toBeGreaterThan(ROUNDS * 3)
  const stored = await all(server, '/v1/streams/lines/records?changes_since=beginning&limit=100', owner)
  const ids = stored.map((record) => record.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(without(acknowledged, ids)).toEqual([])
  const receipts = await all(server, '/v1/owner/receipts?limit=100', owner)
  expect(
    without(
      answered,
      receipts.map((receipt) => receipt.request_id),
    ),
  ).toEqual([])
  const count = (await (
    await fetch(`${server.url}/v1/streams/lines/records?count=exact&limit=1`, { headers: owner })
  ).json()) as any
  expect(count.meta.count.value).toBe(ids.length)
  await server.stop()
}, 300_000)

function without(all: Set<string>, found: readonly string[]): string[] {
  const known = new Set(found)
  return [...all].filter((item) => !known.has(item))
}

/** Batches until the server is gone; a batch counts once it was answered. */
async function write(server: RunningServer, headers: Record<string, string>, name: string, acknowledged: Set<string>) {
  for (let batch = 0; ; batch++) {
    const ids = Array.from({ length: BATCH }, (_, n) => `${name}-${batch}-${n}`)
    const lines = ids.map((id) =>
      JSON.stringify({ key: id, data: { id, text: 'x'.repeat(200), at: '2026-01-01T00:00:00Z' } }),
    )
    try {
      const response = await fetch(`${server.url}/v1/ingest/lines?connection_id=log`, {
        method: 'POST',
        headers,
        body: lines.join('\n'),
      })
      const reply = (await response.json()) as any
      if (reply.records_accepted !== BATCH) throw new Error(`unexpected reply ${JSON.stringify(reply)}`)
    } catch (error) {
      if (String(error).includes('unexpected')) throw error
      return
    }
    for (const id of ids) acknowledged.add(id)
  }
}

async function read(server: RunningServer, headers: Record<string, string>, name: string, answered: Set<string>) {
  for (let count = 0; ; count++) {
    const id = `${name}-${count}`
    try {
      const response = await fetch(`${server.url}/v1/streams/lines/records?limit=5`, {
        headers: { ...headers, 'request-id': id },
      })
      await response.text()
    } catch {
      return
    }
    answered.add(id)
  }
}

async function all(server: RunningServer, path: string, headers: Record<string, string>): Promise<any[]> {
  const rows: any[] = []
  for (let cursor = ''; ; ) {
    const response = await fetch(server.url + path + (cursor && `&cursor=${encodeURIComponent(cursor)}`), { headers })
    const body = (await response.json()) as any
    rows.push(...body.data)
    if (!body.next_cursor) return rows
    cursor = body.next_cursor
  }
}
