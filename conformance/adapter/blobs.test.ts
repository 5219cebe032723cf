// Files that belong to records: an agent sees their description and their text, and how a person can open or save them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { declaration, key, stream, text } from '../../tests/fixtures/declaration.ts'
import { runPdpp } from '../../tests/fixtures/processes.ts'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { onEveryTransport } from './fixtures/agent.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const BYTES = 'bytes of an invented plan '.repeat(400)
const TEXT = `The orchard plan. ${'One row of plums, one row of pears. '.repeat(40)}`
const sha256 = createHash('sha256').update(BYTES).digest('hex')
const ID = 'papers/files:plan'

const reference = {
  type: 'object',
  properties: { blob_id: { type: 'string' }, sha256: { type: 'string' } },
  x_pdpp_text_field: 'written',
}

beforeAll(async () => {
  await world.owner(
    'POST',
    '/connectors',
    declaration('papers', { files: stream({ id: key(), name: text(), scan: reference, written: text() }) }),
  )
  await world.owner('POST', '/v1/owner/connections', { connector_key: 'papers', connection_id: 'papers' })
  const target = 'connection_id=papers&stream=files&record_key=plan&mime_type=application/pdf'
  const { blob_id } = await world.owner('POST', `/v1/blobs?${target}`, BYTES)
  const scan = { blob_id, sha256, size_bytes: BYTES.length, mime_type: 'application/pdf' }
  const plan = { id: 'plan', name: 'Plan', scan, written: TEXT }
  await world.owner('POST', '/v1/ingest/files?connection_id=papers', JSON.stringify({ data: plan }))
})

const createGrant = (fields: string[]) =>
  world.owner('POST', '/v1/owner/grants', {
    client_name: `Reader of ${fields}`,
    connections: ['papers'],
    streams: [{ name: 'files', fields }],
  })

onEveryTransport((kind) => {
  const agentWith = async (...fields: string[]) => {
    const grant = await createGrant(fields)
    return { grant, agent: await world.agent(kind, { id: grant.grant_id, token: grant.access_token }) }
  }

  verifies(['001.4.1', 'point 21'], 'a file shows its text, its page and the command that saves it', async () => {
    const { agent } = await agentWith('id', 'name', 'scan', 'written')
    const { text, structured } = await agent.use('read_record_field', { id: ID, field_path: 'scan' })
    expect(structured.field).toMatchObject({
      type: 'blob',
      media_type: 'application/pdf',
      sha256,
      size_bytes: BYTES.length,
    })
    const lines = text.split('\n')
    expect(lines[0]).toContain(`application/pdf, ${BYTES.length.toLocaleString('en')} bytes, sha256 ${sha256}`)
    expect(lines[1]).toMatch(/^Its text, [\d,]+ chars: read_record_field \{/)
    expect(text).toContain('It begins: The orchard plan.')
    expect(structured.export.url).toBe(`${world.server.url}/r/papers%2Ffiles%3Aplan`)
    expect(text).toContain(structured.export.url)
    expect(text).toContain(structured.export.command)
    expect(structured.export.command).toMatch(
      new RegExp(`^pdpp read blob http\\S+ blob_${sha256} --connection papers --output <file>$`),
    )
    const written = await agent.use('read_record_field', structured.text)
    expect(written.structured.window.text).toBe(TEXT)
    const page = await agent.use('query_records', { stream: 'files' })
    expect(page.text).toContain(
      `[application/pdf, ${BYTES.length.toLocaleString('en')} bytes; read_record_field field_path="scan"]`,
    )
    const { structured: document } = await agent.use('fetch', { id: ID })
    expect(document.text).toContain('read_record_field field_path="scan"')
    expect(document.text).toContain('The orchard plan.')
    expect(document.metadata.files).toEqual([
      { field_path: 'scan', kind: expect.stringContaining('application/pdf'), export: structured.export.command },
    ])
  })

  verifies('001.4.1', 'a grant of only the file or only its text does not show the other', async () => {
    const file = await agentWith('id', 'scan')
    const { text, structured } = await file.agent.use('read_record_field', { id: ID, field_path: 'scan' })
    expect(JSON.stringify([text, structured])).not.toMatch(/orchard|written/)
    const words = await agentWith('id', 'written')
    expect(JSON.stringify(await words.agent.use('fetch', { id: ID }))).not.toContain('blob_')
    expect((await world.get(`/v1/blobs/blob_${sha256}`, words.grant.access_token)).status).toBe(404)
  })
})

verifies('001.4.1', 'the command that saves a file works', async () => {
  const grant = await createGrant(['id', 'scan'])
  const access = { id: grant.grant_id, token: grant.access_token }
  const agent = await world.agent('stdio 2025-11-25', access)
  const { structured } = await agent.use('read_record_field', { id: ID, field_path: 'scan' })
  const file = join(world.dataDir, 'saved.pdf')
  const [, ...words] = structured.export.command.replace('<file>', file).split(' ')
  const env = { PDPP_CACHE_ROOT: world.cacheRoot, PDPP_GRANT: access.id }
  const { code, stderr } = await runPdpp(words, { dataDir: world.dataDir, env })
  expect([code, stderr]).toEqual([0, expect.stringContaining('application/pdf')])
  expect(readFileSync(file, 'utf8')).toBe(BYTES)
})
