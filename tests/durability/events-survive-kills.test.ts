import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { isLong, repetitions } from '../fixtures/repetitions.ts'
import { mailServer } from '../fixtures/server.ts'
import { seeded } from './mixed-load.ts'
import { preparedData } from './prepared-data.ts'

const ROUNDS = repetitions(5, 100)
const SEED = 20_261_118
/** Changes become events within a second and are sent at once. The server is killed before, during or after that. */
const ROUND_MS = 1_500
const PATH = '/v1/event-subscriptions'

interface Sent {
  readonly body: string
  readonly event: any
}

it(
  `loses and invents no event when killed ${ROUNDS} times`,
  async () => {
    const dataDir = temporaryDirectory()
    const { owner, client } = await prepare(dataDir)
    const random = seeded(SEED)
    const hook = await receiver()
    let server = await startServerProcess({ dataDir })
    const call = async (token: string, method: string, path: string, body?: unknown) => {
      const response = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return response.json() as any
    }
    await call(owner, 'PATCH', '/v1/owner/settings', { event_private_addresses: true })
    const poll = (await call(client, 'POST', PATH, {})).subscription_id
    const webhook = (await call(client, 'POST', PATH, { callback_url: hook.url })).subscription_id
    await until(async () => (await call(client, 'GET', `${PATH}/${webhook}`)).status === 'active')
    const early: string[] = []
    hook.onEvent = async ({ data }) => {
      // The changes that an event reports can be read at that moment, unless the server was just killed.
      const path = `/v1/streams/messages/records?limit=100&connection_id=home&changes_since=${data.changes_since}`
      const page = await call(client, 'GET', path).catch(() => undefined)
      if (page?.data && page.data.length < Math.min(100, data.change_count)) early.push(JSON.stringify(data))
    }
    const polled = new Map<string, any>()
    let after = ''
    const pollOnce = async (wait: number) => {
      const page = await call(client, 'GET', `${PATH}/${poll}/events?wait=${wait}${after}`)
      for (const event of page.data) polled.set(event.id, event)
      if (page.data.length > 0) after = `&after=${page.next_cursor}`
      return page.data.length
    }
    let written = 0
    for (let round = 0; round < ROUNDS; round++) {
      const isOver = { now: false }
      const polling = (async () => {
        while (!isOver.now) await pollOnce(1).catch(() => sleep(10))
      })()
      const writing = (async () => {
        for (let batch = 0; batch < 3 && !isOver.now; batch++) {
          const lines = Array.from({ length: 1 + Math.floor(random() * 20) }, () => record(written++))
          await call(owner, 'POST', '/v1/ingest/messages?connection_id=home', lines.join('\n')).catch(() => undefined)
        }
      })()
      await sleep(random() * ROUND_MS)
      isOver.now = true
      await server.kill()
      await Promise.all([polling, writing])
      server = await startServerProcess({ dataDir })
    }
    // Every commit before a kill counts, even if its writer got no answer.
    const total = (await call(client, 'GET', '/v1/streams/messages/records?limit=1&count=exact')).meta.count.value
    const counted = (events: Iterable<any>) =>
      [...events].reduce((sum, { type, data }) => sum + (type === 'pdpp.records.changed' ? data.change_count : 0), 0)
    const sent = () => new Map(hook.sent.map(({ event }) => [event.id, event])).values()
    await until(async () => {
      await pollOnce(0)
      return counted(polled.values()) >= total && counted(sent()) >= total
    })
    expect([counted(polled.values()), counted(sent())]).toEqual([total, total])
    expect(total).toBeGreaterThan(ROUNDS)
    expect(early).toEqual([])
    // A repeated delivery has the same bytes, so that the receiver can recognise it.
    for (const group of Map.groupBy(hook.sent, ({ event }) => event.id).values())
      expect(new Set(group.map(({ body }) => body)).size).toBe(1)
    await server.stop()
  },
  isLong ? 1_800_000 : 180_000,
)

const record = (n: number) =>
  JSON.stringify({ key: `k${n}`, data: { id: `k${n}`, subject: `Subject ${n}` }, emitted_at: '2026-02-01T00:00:00Z' })

const prepare = (dataDir: string) =>
  preparedData(
    dataDir,
    (changes, options) => mailServer(changes, {}, options),
    async ({ server, grant }) => {
      const owner = (await server.context.tokens.issueOwner('owner_local')).accessToken
      const { token: client } = await grant({ connections: ['home'], streams: [{ name: 'messages' }] })
      return { owner, client }
    },
  )

/** A receiver on this machine, which outlives every server. */
async function receiver() {
  const sent: Sent[] = []
  const state = { url: '', sent, onEvent: async (_event: any): Promise<void> => {} }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const event = JSON.parse(body)
    if (event.type === 'pdpp.records.changed') {
      sent.push({ body, event })
      await state.onEvent(event)
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ challenge: event.data.challenge }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return state
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await holds()); await sleep(50))
    if (Date.now() > end) throw new Error('This did not happen within a minute.')
}
