// Tasks about the demo owner, done over `/mcp` with a package of all sources by a reader who sees only text; and the
// steps from a mail to its attached file.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { OWNER } from '@pdpp/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyDemo } from '../fixtures/demo-data.ts'
import { runPdpp } from '../fixtures/processes.ts'
import { verifies } from '../fixtures/verifies.ts'
import { type AdapterServer, startAdapter } from './adapter-server.ts'
import { TASKS } from './ask-the-demo-tasks.ts'

let server: AdapterServer
beforeAll(async () => {
  server = await startAdapter('demo', {}, copyDemo)
})
afterAll(() => server.close())

test.each(TASKS)('text alone answers: $question', async ({ steps, answer }) => {
  const texts: string[] = []
  const over: string[] = []
  for (const { tool, args, bytes } of steps) {
    const given = typeof args === 'function' ? args(texts) : args
    const { text, isError } = await server.call(tool, given)
    expect([isError, text]).toEqual([false, text])
    const size = Buffer.byteLength(text)
    if (size > bytes) over.push(`${tool} ${JSON.stringify(given)}: ${size} bytes instead of ${bytes}\n${text}`)
    texts.push(text)
  }
  // Compares all at once, so that a changed text shows every limit that must be checked.
  expect(over).toEqual([])
  for (const words of answer) expect(texts.at(-1)).toMatch(words)
})

test('one search over several streams leaves one receipt', async () => {
  const { receipts } = server.server.context
  const newest = async () => (await receipts.list(OWNER, { limit: 30 })).receipts
  const [last] = await newest()
  await server.call('search', { query: 'invoice 1687', connection_id: 'mail-work', limit: 10 })
  const all = await newest()
  const made = all.slice(
    0,
    all.findIndex(({ receipt_id }) => receipt_id === last?.receipt_id),
  )
  expect(made).toHaveLength(1)
  const streams = [made[0]!.stream, ...made[0]!.also!.map(({ stream }) => stream)]
  expect(streams.toSorted()).toEqual(['attachments', 'messages', 'threads'])
})

verifies('000.8.1', 'a stream of one source is found with one more call', async () => {
  const args = { stream: 'contacts', filter: { name: 'Desmond Saltpeter' } }
  const refused = await server.call('query_records', args)
  const [, connection_id] = /^- connection_id=(\S+) .* has contacts$/m.exec(refused.text)!
  const { text } = await server.call('query_records', { ...args, connection_id })
  expect(text).toContain('desmond-saltpeter@the-hag.example')
})

verifies('001.4.1', 'an attachment is found by its mail, read as text and saved', async () => {
  const hits = await server.call('search', { query: 'invoice 1687 Mewstone Outer', limit: 5 })
  const [id] = /mail-work\/attachments:att_\w+/.exec(hits.text)!
  expect(hits.text).toContain('Invoice 1687, Mewstone Outer')
  const described = await server.call('read_record_field', { id, field_path: 'blob_ref' })
  const [, blob, sha256] = /(blob_([0-9a-f]{64}))/.exec(described.text)!
  const [, next] = /Its text, \d+ chars: read_record_field (\{.*\})/.exec(described.text)!
  const window = await server.call('read_record_field', JSON.parse(next!))
  for (const words of ['Invoice 1687', 'For: Mewstone Outer', 'Total: 7937.95 euros'])
    expect(window.text).toContain(words)
  const developer = await fetchBlob({ blob_id: blob, connection_id: 'mail-work' })
  expect(developer.text).toContain('application/pdf')
  const bytes = Buffer.from(developer.media, 'base64')
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  expect(bytes.toString('latin1')).toMatch(/^%PDF-1\.4\n[\s\S]*\(Invoice 1687\) Tj/)
  const [, command] = /(pdpp read blob \S+ \S+ --connection mail-work --output )<file>/.exec(described.text)!
  expect(await saved(command!)).toEqual(bytes)
})

async function fetchBlob(args: Record<string, unknown>): Promise<{ text: string; media: string }> {
  const client = new Client({ name: 'developer', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${server.token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/developer`), { requestInit }))
  try {
    const { content } = await client.callTool({ name: 'fetch_blob', arguments: args })
    const [first, second] = content as { text?: string; resource?: { blob?: string } }[]
    return { text: first?.text ?? '', media: second?.resource?.blob ?? '' }
  } finally {
    await client.close()
  }
}

/**
 * Saves the file like a person who was given the command: the token goes into the cache, then the command writes the
 * file.
 */
async function saved(command: string): Promise<Buffer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-saved-'))
  try {
    const place = { dataDir, env: { PDPP_CACHE_ROOT: join(dataDir, 'cache') } }
    const connected = await runPdpp(['connect', server.url, '--with-token'], { ...place, input: server.token })
    expect([connected.code, connected.stderr]).toEqual([0, connected.stderr])
    const file = join(dataDir, 'invoice.pdf')
    const read = await runPdpp([...command.trim().split(' ').slice(1), file], place)
    expect([read.code, read.stderr]).toEqual([0, read.stderr])
    return readFileSync(file)
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}
