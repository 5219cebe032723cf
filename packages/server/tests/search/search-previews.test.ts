// A hit without a matching word shows the beginning of its text, and whether files came with it.
import { expect, it } from 'vitest'
import { declaration, key, searched, stream, text, time } from '../../../../tests/fixtures/declaration.ts'
import { testServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const LONG = `${'We walked along the dunes. '.repeat(40)}The end.`

const messages = stream(
  {
    id: key(),
    channel: searched(),
    author: searched(),
    text: searched(),
    note: text(),
    sent_at: time(),
    attachment_count: { type: 'integer' },
    image_url: text(),
    voice: { type: ['array', 'null'] },
    has_media: { type: 'boolean' },
    file: {
      type: ['object', 'null'],
      properties: { blob_id: text(), sha256: text(), mime_type: text() },
      required: ['blob_id'],
    },
  },
  { semantics: 'append_only' },
)

const rows = [
  { id: 'm1', author: 'Wanda Birch', channel: 'family', text: 'Half past seven, from the pier.', attachment_count: 0 },
  { id: 'm2', author: 'Wanda Birch', channel: 'family', text: LONG, attachment_count: 2 },
  { id: 'm3', author: 'Wanda Birch', channel: 'family', text: '', image_url: 'https://pictures.example/1.jpg' },
  { id: 'm4', author: 'Ines', channel: 'birch', text: 'Wanda knows it.', voice: ['a.ogg'] },
  { id: 'm5', author: 'Ines', channel: 'birch', text: 'Look!', has_media: true, note: 'a secret note' },
]

async function chat() {
  const test = await testServer()
  await test.owner('POST', '/connectors', declaration('chat', { messages }))
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'chat', connection_id: 'chat' })
  const sent = rows.map((data, n) => ({ sent_at: `2026-03-0${n + 1}T09:00:00Z`, ...data }))
  await test.ingest(
    'messages',
    'chat',
    sent.map((data) => ({ key: data.id, data, emitted_at: '2026-03-09T00:00:00Z' })),
  )
  return test
}

const all = { connections: ['chat'] }
const hitsOf = async (get: (path: string) => Promise<{ body: any }>, q: string) => {
  const { body } = await get(`/v1/search?q=${encodeURIComponent(q)}&limit=20`)
  return new Map<string, any>(body.data.map((hit: any) => [hit.record_key, hit]))
}

verifies('point 41', 'a hit by author alone has a preview without marks, and no excerpt', async () => {
  const { get } = await (await chat()).grant(all)
  const hits = await hitsOf(get, 'wanda')
  expect(hits.get('m1')).toMatchObject({
    actor: 'Wanda Birch',
    match: 'all_words',
    evidence_excerpts: [],
    begins: { field_path: 'text', preview_text: rows[0]!.text },
  })
  const { preview_text, ...cut } = hits.get('m2').begins
  expect(cut).toEqual({ field_path: 'text', truncated: true, end_chars: 198, total_chars: LONG.length })
  expect(preview_text).toBe(`${LONG.slice(0, cut.end_chars)}…`)
  // A word in the text is proof, so the name is not repeated.
  expect(hits.get('m4').evidence_excerpts).toEqual([
    { field_path: 'text', preview_text: '<mark>Wanda</mark> knows it.', offset_chars: 0 },
  ])
  expect(hits.get('m4')).not.toHaveProperty('begins')
})

verifies('001.1.3', 'a match in the place alone shows no window of the text', async () => {
  const { get } = await (await chat()).grant(all)
  const hits = await hitsOf(get, 'birch')
  expect(hits.get('m5')).toMatchObject({ evidence_excerpts: [], begins: { field_path: 'text', preview_text: 'Look!' } })
  // Without a text there is only the name to show.
  expect(hits.get('m3').evidence_excerpts).toEqual([
    { field_path: 'author', preview_text: 'Wanda <mark>Birch</mark>', offset_chars: 0 },
  ])
})

verifies('point 41', 'the preview goes on where it ends', async () => {
  const { get } = await (await chat()).grant(all)
  const { begins } = (await hitsOf(get, 'wanda')).get('m2')
  const window = await get(
    `/v1/streams/messages/records/m2/field-window?field=${begins.field_path}&offset_chars=${begins.end_chars}`,
  )
  expect(`${begins.preview_text.slice(0, -1)}${window.body.window.text}`).toBe(LONG)
})

it('says which files a record has, as its fields tell', async () => {
  const { get } = await (await chat()).grant(all)
  const hits = await hitsOf(get, 'wanda birch ines')
  expect([...hits].map(([name, { attachments }]) => [name, attachments]).sort()).toEqual([
    ['m1', undefined],
    ['m2', { count: 2, kind: 'file' }],
    ['m3', { count: 1, kind: 'image' }],
    ['m4', { count: 1, kind: 'audio' }],
    ['m5', { kind: 'file' }],
  ])
})

it('shows neither the text nor the files that a grant leaves out', async () => {
  const test = await chat()
  const fields = ['id', 'author', 'channel', 'sent_at']
  const { get } = await test.grant({ ...all, streams: [{ name: 'messages', fields }] })
  for (const hit of (await hitsOf(get, 'wanda birch ines')).values()) {
    expect(hit).not.toHaveProperty('begins')
    expect(hit).not.toHaveProperty('attachments')
    expect(hit.evidence_excerpts[0].field_path).not.toBe('text')
  }
})
