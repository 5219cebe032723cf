// The metadata of a document lists everything that the document does not show. Raw bytes are never shown. One call is
// one read.
import { beforeAll, expect } from 'vitest'
import { declaration, integer, key, stream, text } from '../../tests/fixtures/declaration.ts'
import { runPdpp } from '../../tests/fixtures/processes.ts'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { onEveryTransport } from './fixtures/agent.ts'
import { LONG_BODY } from './fixtures/sources.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const bytes = (size: number) => Buffer.alloc(size, 'pixels of an invented picture')
const SIZES = [45, 300, 3_000]
const LETTER = 'Dear reader, this letter came as a file. '.repeat(200)

beforeAll(async () => {
  const page = stream(
    {
      id: key(),
      caption: text(),
      first: text(),
      second: text(),
      picture: { ...text(), contentEncoding: 'base64', contentMediaType: 'image/png' },
      letter: { type: 'object', properties: { blob_id: text(), sha256: text() } },
    },
    {
      relationships: [{ name: 'lines', stream: 'lines', foreign_key: 'page_id', cardinality: 'has_many' }],
      query: { expand: [{ name: 'lines', default_limit: 3 }] },
    },
  )
  const line = stream({ id: key(), page_id: text(), line: integer(), said: text() })
  await world.owner('POST', '/connectors', declaration('album', { pages: page, lines: line }))
  await world.owner('POST', '/v1/owner/connections', { connector_key: 'album', connection_id: 'album' })
  const upload = '/v1/blobs?connection_id=album&stream=pages&record_key=letter'
  const { blob_id, sha256, mime_type } = await (
    await world.get(upload, world.ownerToken, {
      method: 'POST',
      body: LETTER,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
  )
    .json()
    .then((body) => body as Record<string, string>)
  expect(mime_type).toBe('text/plain')
  const pages = [
    ...SIZES.map((size) => ({ id: `picture-${size}`, picture: bytes(size).toString('base64') })),
    { id: 'million', caption: 'One word', first: 'a'.repeat(1_000_000) },
    { id: 'two', first: 'one two three '.repeat(200), second: 'four five six '.repeat(150) },
    { id: 'related', caption: 'With lines' },
    { id: 'letter', letter: { blob_id, sha256, size_bytes: LETTER.length } },
    { id: 'plain', caption: 'Nothing long' },
  ]
  await world.ingest('pages', 'album', pages)
  const lines = [2, 3, 1, 4, 5].map((line) => ({ id: `l${line}`, page_id: 'related', line, said: `Line ${line}` }))
  await world.ingest('lines', 'album', lines)
})

const album = async () => {
  const grant = await world.owner('POST', '/v1/owner/grants', { client_name: 'Album reader', connections: ['album'] })
  return { id: grant.grant_id, token: grant.access_token }
}
const receipts = async (grantId: string) =>
  (await world.owner('GET', `/v1/owner/receipts?grant_id=${grantId}&limit=100`)).data as any[]

onEveryTransport((kind) => {
  verifies('001.4.1', 'all tools describe bytes by the same type and size', async () => {
    const agent = await world.agent(kind, await album())
    for (const size of SIZES) {
      const id = `album/pages:picture-${size}`
      const kindOf = `image/png, ${size.toLocaleString('en')} bytes`
      const page = await agent.use('query_records', { stream: 'pages', filter: { id: `picture-${size}` } })
      const document = await agent.use('fetch', { id })
      const field = await agent.use('read_record_field', { id, field_path: 'picture' })
      expect(page.structured.data.data[0].data.picture).toMatchObject({ media_type: 'image/png', size_bytes: size })
      expect(document.structured.metadata.files).toMatchObject([{ field_path: 'picture', kind: kindOf }])
      expect(field.structured.field).toMatchObject({ media_type: 'image/png', size_bytes: size })
      for (const result of [page, document, field]) {
        expect(result.text).toContain(kindOf)
        expect(JSON.stringify([result.text, result.structured])).not.toContain(
          bytes(45).toString('base64').slice(0, 40),
        )
      }
    }
  })

  verifies('001.4.1', 'a file that was uploaded as plain text is read as text', async () => {
    const agent = await world.agent(kind, await album())
    const args = { id: 'album/pages:letter', field_path: 'letter', limit_chars: 16_000 }
    const { structured, text: resultText } = await agent.use('read_record_field', args)
    expect(structured.window).toMatchObject({ text: LETTER, complete: true })
    expect(structured.field).toMatchObject({ type: 'blob', media_type: 'text/plain' })
    expect(resultText).toContain('Dear reader')
  })

  verifies('001.4.1', 'the metadata says that a field is not shown', async () => {
    const agent = await world.agent(kind, await album())
    const { metadata } = (await agent.use('fetch', { id: 'album/pages:million' })).structured
    expect(metadata).toMatchObject({ text_truncated: true, text_shown_chars: 0, text_total_chars: 1_000_000 })
    const { tool, arguments: args } = metadata.continue
    const { structured } = await agent.use(tool, args)
    expect(structured.window.text).toMatch(/^a+$/)
    const whole = (await agent.use('fetch', { id: 'album/pages:plain' })).structured.metadata
    expect(Object.keys(whole).filter((name) => /trunc|short|left_out|continue/.test(name))).toEqual([])
  })

  verifies('001.4.1', 'the metadata lists every cut text and how to continue it', async () => {
    const agent = await world.agent(kind, await album())
    const { metadata, text: resultText } = (await agent.use('fetch', { id: 'album/pages:two' })).structured
    expect(metadata).toMatchObject({
      text_truncated: true,
      text_shown_chars: 600,
      text_total_chars: 2_100,
      continue: {
        tool: 'read_record_field',
        arguments: { id: 'album/pages:two', field_path: 'second', offset_chars: 600 },
      },
    })
    expect(resultText).toContain('second: four five six')
    const { structured } = await agent.use('read_record_field', metadata.continue.arguments)
    expect(structured.window.text).toBe('four five six '.repeat(150).slice(600))
  })

  verifies('003.11.2', 'related records keep their order, and the metadata counts them', async () => {
    const agent = await world.agent(kind, await album())
    const args = { id: 'album/pages:related', expand: ['lines'] }
    const all = (await agent.use('fetch', { ...args, expand_limit: { lines: 10 } })).structured
    expect([...all.text.matchAll(/^- album\/lines:l(\d)/gm)].map(([, line]) => line)).toEqual(['1', '2', '3', '4', '5'])
    expect(all.metadata.text_truncated).toBeUndefined()
    const { metadata } = (await agent.use('fetch', args)).structured
    expect(metadata).toMatchObject({
      text_truncated: true,
      related_truncated: [
        { relation: 'lines', shown: 3, has_more: true, continue: expect.stringMatching(/^query_records/) },
      ],
    })
  })

  verifies('003.2.2', 'each fetch, window and list of groups is one read and one receipt', async () => {
    const access = await world.grant(`mail ${kind}`)
    const agent = await world.agent(kind, access)
    for (const [count, tool, args] of [
      [1, 'fetch', { id: 'home/messages:long' }],
      [2, 'read_record_field', { id: 'home/messages:long', field_path: 'headers', limit_chars: 16_000 }],
      [3, 'aggregate', { stream: 'messages', metric: 'count', group_by: ['sender'], limit: 100 }],
    ] as const) {
      const routes = await world.routes(() => agent.use(tool, args))
      expect(routes.filter((route) => route.startsWith('/v1/streams'))).toHaveLength(1)
      expect(await receipts(access.id)).toHaveLength(count)
    }
    const { metadata, text: resultText } = (await agent.use('fetch', { id: 'home/messages:long' })).structured
    const body = resultText.slice(resultText.indexOf('body:\n') + 6)
    expect(body.length).toBeGreaterThan(5_000)
    expect(LONG_BODY.startsWith(body)).toBe(true)
    expect(metadata.continue.arguments.offset_chars).toBe(body.length)
    expect(metadata.shortened_fields).toContainEqual(expect.objectContaining({ field_path: 'headers', shown_chars: 0 }))
  })
})

verifies('001.4.1', 'the command for bytes inside a record returns them', async () => {
  const access = await album()
  const agent = await world.agent('stdio 2025-11-25', access)
  const { structured, text: resultText } = await agent.use('read_record_field', {
    id: 'album/pages:picture-300',
    field_path: 'picture',
  })
  expect(resultText).toContain(structured.export.command)
  const [, ...words] = structured.export.command.split(' ')
  const env = { PDPP_CACHE_ROOT: world.cacheRoot, PDPP_GRANT: access.id }
  const { code, stdout } = await runPdpp(words, { dataDir: world.dataDir, env })
  expect(code).toBe(0)
  expect(Buffer.from(JSON.parse(stdout).data.picture, 'base64').equals(bytes(300))).toBe(true)
})
