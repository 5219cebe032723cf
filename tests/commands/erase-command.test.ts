import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyDemo } from '../fixtures/demo-data.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { storedTexts } from '../fixtures/stored-data.ts'
import { isOnPostgres } from '../fixtures/test-store.ts'

const json = (text: string) => JSON.parse(text)
const MARKER = 'Quetzalpfeffer'

/** Every file of the data directory, and every table of its database. */
async function traces(dataDir: string, marker: string): Promise<string[]> {
  const needle = new RegExp(marker, 'i')
  return (await storedTexts(dataDir)).filter(({ text }) => needle.test(text)).map(({ name }) => name)
}

async function seeded(dataDir: string) {
  const server = await startServerProcess({ dataDir })
  const token = (await runPdpp(['owner', 'token'], { dataDir })).stdout.trim()
  const call = async (method: string, path: string, body?: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
    const response = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    return response.json() as Promise<any>
  }
  return { server, call }
}

// Enough to split pages and fill several parts of the word index. Texts grow, so that records move.
const rows = (length: number) =>
  Array.from({ length: 3000 }, (_, at) =>
    JSON.stringify({
      data: {
        id: `day-${(at * 7919) % 3000}`,
        text: `${at === 1500 ? MARKER : 'Nothing'} happened on day ${at}. ${'It rained. '.repeat(length)}`,
      },
    }),
  ).join('\n')

it('leaves nothing of an erased record in any file or receipt', async () => {
  const dataDir = temporaryDirectory()
  const csv = join(temporaryDirectory(), 'diary.csv')
  writeFileSync(csv, 'id,text\nfirst,"Nothing happened"\n')
  expect((await runPdpp(['import', csv, '--yes', '--text', 'text', '--key', 'id'], { dataDir })).code).toBe(0)
  const { server, call } = await seeded(dataDir)
  const id = `day-${(1500 * 7919) % 3000}`
  for (const length of [1, 20, 3]) {
    const reply = await call('POST', '/v1/ingest/diary?connector_id=diary', rows(length))
    expect(reply).toMatchObject({ records_accepted: 3000, records_rejected: 0 })
  }
  const { connection_id: connection } = (await call('GET', '/v1/owner/connections')).data[0]
  const walk = async (since: string) => {
    const changes: any[] = []
    for (let path = `changes_since=${since}`; ; ) {
      const page = await call('GET', `/v1/streams/diary/records?limit=1000&${path}`)
      changes.push(...page.data)
      if (!page.has_more) return { changes, next: page.next_changes_since as string }
      path = `changes_since=${since}&cursor=${encodeURIComponent(page.next_cursor)}`
    }
  }
  const before = await walk('beginning')
  expect(before.changes).toHaveLength(3001)
  const made = await runPdpp(['owner', 'grant', 'create', '--client', 'A', '--connection', connection, '--json'], {
    dataDir,
  })
  const reader = { authorization: `Bearer ${json(made.stdout).access_token}` }
  expect((await fetch(`${server.url}/v1/streams/diary/records/${id}`, { headers: reader })).status).toBe(200)
  expect((await call('GET', `/v1/search?q=${MARKER}`)).data).toHaveLength(1)
  expect(await traces(dataDir, MARKER)).not.toEqual([])

  const refused = await runPdpp(['owner', 'erase', `${connection}/diary:${id}`], { dataDir })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  const erased = await runPdpp(['owner', 'erase', `${connection}/diary:${id}`, '--yes', '--json'], { dataDir })
  expect(json(erased.stdout)).toMatchObject({ records_erased: 1, record_id: id })
  // PostgreSQL guarantees only its tables, and the answer names the places that it cannot guarantee.
  const remains = isOnPostgres() ? expect.arrayContaining(['backups of the database']) : undefined
  expect(json(erased.stdout).remains).toEqual(remains)
  expect((await fetch(`${server.url}/v1/streams/diary/records/${id}`, { headers: reader })).status).toBe(404)
  expect((await call('GET', `/v1/search?q=${MARKER}`)).data).toEqual([])
  expect((await call('GET', '/v1/search?q=rained&limit=1')).data).toHaveLength(1)
  expect(await traces(dataDir, MARKER)).toEqual([])
  // The word index stores the word in lower case.
  expect(await traces(dataDir, MARKER.slice(1))).toEqual([])
  const receipts = (await call('GET', '/v1/owner/receipts?stream=diary')).data
  expect(receipts.find((receipt: any) => receipt.operation === 'record' && receipt.outcome === 'ok')).toMatchObject({
    records: [],
    record_count: 1,
    records_erased: 1,
  })
  const { changes } = await walk(encodeURIComponent(before.next))
  expect(changes).toEqual([expect.objectContaining({ id, deleted: true })])

  const stream = await runPdpp(['owner', 'erase', '--connection', connection, '--stream', 'diary', '--yes'], {
    dataDir,
  })
  expect(stream.stdout).toContain('3,000 record(s)')
  const promise = isOnPostgres()
    ? 'PostgreSQL may still have it in: dead rows'
    : 'It is gone from records, history, search and the files.'
  expect(stream.stdout).toContain(promise)
  expect(await traces(dataDir, 'It rained')).toEqual([])
  const unknown = await runPdpp(['owner', 'erase', '--connection', 'dairy', '--yes'], { dataDir })
  expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining('There is no connection "dairy".')])
  expect(unknown.stderr).toContain('pdpp owner connection list')
}, 120_000)

it('erases a connection while no server runs', async () => {
  const dataDir = temporaryDirectory()
  await copyDemo(dataDir)
  const absent = await runPdpp(['owner', 'erase', 'notes/notes:nowhere', '--yes'], { dataDir })
  expect(absent.code).toBe(5)
  expect((await runPdpp(['owner', 'erase', '--yes'], { dataDir })).code).toBe(2)
  const page = await runPdpp(['owner', 'erase', '--connection', 'notes', '--yes', '--json'], { dataDir })
  expect(json(page.stdout)).toMatchObject({ object: 'erased', connection_id: 'notes', stream: null })
  expect(json(page.stdout).records_erased).toBeGreaterThan(0)
  const again = await runPdpp(['owner', 'erase', '--connection', 'notes', '--yes'], { dataDir })
  expect(again.code).toBe(5)
}, 120_000)
