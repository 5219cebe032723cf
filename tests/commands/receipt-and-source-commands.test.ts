import { expect, it } from 'vitest'
import { copyDemo } from '../fixtures/demo-data.ts'
import { runPdpp, startPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'

const json = (text: string) => JSON.parse(text)

async function grantFor(dataDir: string, connection: string) {
  const words = ['owner', 'grant', 'create', '--client', 'Notes helper', '--connection', connection, '--json']
  return json((await runPdpp(words, { dataDir })).stdout) as {
    grant_id: string
    client_id: string
    access_token: string
  }
}

it('lists who read what, with a server and without one', async () => {
  const dataDir = temporaryDirectory()
  await copyDemo(dataDir)
  const grant = await grantFor(dataDir, 'notes')
  const server = await startServerProcess({ dataDir })
  const headers = { authorization: `Bearer ${grant.access_token}` }
  const page = await fetch(`${server.url}/v1/streams/notes/records?limit=3`, { headers })
  const [first] = ((await page.json()) as any).data
  expect((await fetch(`${server.url}/v1/streams/messages/records`, { headers })).ok).toBe(false)

  const list = async (...words: string[]) => {
    const run = await runPdpp(['owner', 'receipts', 'list', '--json', ...words], { dataDir })
    expect(run.stderr).toBe('')
    return json(run.stdout).data as any[]
  }
  expect(await list('--grant', grant.grant_id, '--stream', 'notes')).toEqual([
    expect.objectContaining({ operation: 'records', record_count: 3, outcome: 'ok' }),
  ])
  expect(await list('--client', grant.client_id, '--limit', '1')).toHaveLength(1)
  const record = `notes/notes:${first.id}`
  expect((await list('--record', record)).map((receipt) => receipt.operation)).toEqual(['records'])
  expect(await list('--client', grant.client_id, '--until', '2001-01-01')).toEqual([])
  await server.stop()

  const table = await runPdpp(['owner', 'receipt', '--client', grant.client_id], { dataDir })
  const [headings, ...rows] = table.stdout.trim().split('\n')
  expect(headings).toMatch(/^WHEN +WHO +SURFACE +OPERATION +STREAM +RECORDS +OUTCOME$/)
  expect(rows).toHaveLength(2)
  expect(rows[1]).toMatch(/Notes helper \(.*\) +rest +records +notes +3 +ok$/)
  const refused = await runPdpp(['owner', 'receipt', 'list', '--follow'], { dataDir })
  expect(refused).toMatchObject({ code: 6, stdout: '' })
  expect(refused.stderr).toContain('pdpp serve')
  const wrong = await runPdpp(['owner', 'receipt', 'list', '--record', 'nonsense'], { dataDir })
  expect(wrong.code).toBe(2)
  // A name is no id. An empty list would say that this agent read nothing.
  for (const [flag, noun] of Object.entries({ client: 'client', grant: 'grant' })) {
    const unknown = await runPdpp(['owner', 'receipt', 'list', `--${flag}`, 'Notes helper'], { dataDir })
    expect(unknown).toMatchObject({ code: 5, stdout: '' })
    expect(unknown.stderr).toContain(`There is no such ${noun}.`)
  }
}, 120_000)

it('follows reads as they happen, and ends with Ctrl-C', async () => {
  const dataDir = temporaryDirectory()
  await copyDemo(dataDir)
  const grant = await grantFor(dataDir, 'notes')
  const server = await startServerProcess({ dataDir })
  const read = (limit: number) =>
    fetch(`${server.url}/v1/streams/notes/records?limit=${limit}`, {
      headers: { authorization: `Bearer ${grant.access_token}` },
    })
  await read(1)
  const following = await startPdpp(['owner', 'receipt', 'list', '--follow', '--client', grant.client_id, '--jsonl'], {
    dataDir,
  })
  await following.printed(/"record_count":1,/)
  await read(2)
  await read(4)
  await following.printed(/"record_count":4,/)
  expect(await following.stop('SIGINT')).toEqual({ code: 0, signal: null })
  const counts = following
    .output()
    .out.trim()
    .split('\n')
    .map((line) => json(line).record_count)
  expect(counts).toEqual([1, 2, 4])
}, 120_000)

it('lists and shows sources with their streams and counts', async () => {
  const empty = temporaryDirectory()
  await (await startServerProcess({ dataDir: empty })).stop()
  const none = await runPdpp(['owner', 'source', 'list'], { dataDir: empty })
  expect(none.stdout).toContain('No sources yet')
  const dataDir = temporaryDirectory()
  await copyDemo(dataDir)
  const list = json((await runPdpp(['owner', 'sources', '--json'], { dataDir })).stdout)
  const mail = list.data.find((source: any) => source.connection_count === 2)
  const shown = await runPdpp(['owner', 'source', 'show', mail.connector_key], { dataDir })
  expect(shown.stdout).toMatch(/STREAM +CONNECTION +RECORDS/)
  for (const connection of ['mail-personal', 'mail-work']) expect(shown.stdout).toContain(connection)
  const declared = json((await runPdpp(['owner', 'source', 'show', mail.connector_key, '--json'], { dataDir })).stdout)
  expect(declared).toMatchObject({ connector_key: mail.connector_key, declaration_version: expect.any(String) })
  expect((await runPdpp(['owner', 'source', 'show', 'nowhere'], { dataDir })).code).toBe(5)
}, 120_000)
