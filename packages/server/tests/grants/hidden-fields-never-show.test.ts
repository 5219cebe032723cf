import { expect, it } from 'vitest'
import { declaration, key, searched, stream, text } from '../../../../tests/fixtures/declaration.ts'
import { mailServer, message, messages, type TestServer, testServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const READS = [
  '/v1/schema?view=compact',
  '/v1/schema?view=compact&stream=messages',
  '/v1/schema',
  '/v1/streams',
  '/v1/streams/messages',
  '/v1/streams/messages/records?limit=3&count=exact',
  '/v1/streams/messages/records?sort=sent_at&limit=50',
  '/v1/streams/messages/records?fields=subject&order=asc',
  '/v1/streams/messages/records?changes_since=beginning&limit=100',
  '/v1/streams/messages/records/m3',
  '/v1/streams/messages/records/m3/field-window?field=subject',
  '/v1/streams/messages/records?fields=body',
  '/v1/streams/messages/records?sort=size',
  '/v1/streams/messages/records/m3/field-window?field=headers',
  '/v1/connectors',
]

async function answers(test: TestServer): Promise<string[]> {
  const { get, grantId } = await test.grant({
    connections: ['home'],
    streams: [{ name: 'messages', fields: ['subject'] }],
    client_id: 'cli_fixed',
  })
  const texts: string[] = []
  for (const path of READS) {
    const { status, text } = await get(path)
    const stable = text
      .replaceAll(grantId, 'GRANT')
      .replaceAll(/req_[0-9a-f]+/g, 'REQUEST')
      // The address of a wish contains the id of the grant and a seal. Its length must not differ.
      .replaceAll(/\/wishes\/([\w-]+)/g, (_, token) => `/wishes/${token.length}`)
      .replaceAll(/"(captured_at|last_attempted_at|last_updated)":"[^"]+"/g, '"$1":"T"')
    texts.push(
      `${path} ${status} ${stable.replaceAll(/"next_(cursor|changes_since)":"[^"]+"|cursor=[\w-]+/g, (match) => `cursor of ${match.length}`)}`,
    )
  }
  return texts
}

verifies('checklist 16', 'gives the same bytes whatever hidden fields hold', async () => {
  const plain = await mailServer({ publicUrl: 'https://data.example.org' })
  const other = await mailServer({ publicUrl: 'https://data.example.org' })
  const rows = Array.from({ length: 12 }, (_, n) => message(n))
  const twisted = rows.map((_row, n) =>
    message(n, {
      body: 'x'.repeat((n * 37) % 500),
      sender: undefined,
      size: 900 - n,
      headers: { a: n },
      photo: 'aGk=',
    }),
  )
  await plain.ingest('messages', 'home', rows)
  await other.ingest('messages', 'home', twisted)
  expect(await answers(other)).toEqual(await answers(plain))
})

it('pages over updated records under a projection', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(30))
  await test.ingest(
    'messages',
    'home',
    Array.from({ length: 30 }, (_, n) => ({ ...message(n, { body: 'hidden' }), emitted_at: '2026-09-09T00:00:00Z' })),
  )
  const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] })
  const { status, body } = await get('/v1/streams/messages/records?limit=30')
  expect(status).toBe(200)
  expect(new Set(body.data.map((r: any) => r.emitted_at))).toEqual(new Set(['2026-02-01T00:00:00.000Z']))
  const hits = await get('/v1/search?q=subject&limit=30')
  expect(new Set(hits.body.data.map((r: any) => r.emitted_at))).toEqual(new Set(['2026-02-01T00:00:00.000Z']))
})

/** Albums with songs that are ordered by `rated_at`, which no grant here includes; there is no consent time. */
async function rated(ratings: (n: number) => string): Promise<TestServer> {
  const test = await testServer({ publicUrl: 'https://data.example.org' })
  const relationships = [{ name: 'songs', stream: 'songs', foreign_key: 'album', cardinality: 'has_many' }]
  const rating = { type: 'string', format: 'date-time' }
  const streams = {
    albums: stream({ id: key() }, { relationships, query: { expand: [{ name: 'songs', default_limit: 3 }] } }),
    songs: stream({ id: key(), album: text(), title: searched(), rated_at: rating }, { cursor_field: 'rated_at' }),
  }
  await test.owner('POST', '/connectors', declaration('songs', streams))
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'songs', connection_id: 'shelf' })
  const emitted_at = '2026-02-01T00:00:00Z'
  await test.ingest('albums', 'shelf', [{ data: { id: 'a1' }, emitted_at }])
  const songs = Array.from({ length: 12 }, (_, n) => ({
    data: { id: `s${n}`, album: 'a1', title: 'Harbour song', rated_at: ratings(n) },
    emitted_at,
  }))
  await test.ingest('songs', 'shelf', songs)
  return test
}

it('orders nothing by a hidden field', async () => {
  const day = (n: number) => `2026-01-${String(n + 1).padStart(2, '0')}T00:00:00Z`
  const servers = [await rated(day), await rated((n) => day((n * 5) % 12))]
  const answers = servers.map(async (test) => {
    const { get } = await test.grant({
      connections: ['shelf'],
      streams: [{ name: 'albums' }, { name: 'songs', fields: ['album', 'title'] }],
    })
    const related = await get('/v1/streams/albums/records?expand=songs')
    const listed = await get('/v1/streams/songs/records?limit=5')
    const found = await get('/v1/search?q=harbour&limit=20')
    const both = await get('/v1/search?q=harbour%20-nothing%20song&limit=20')
    return [related, listed, found, both].map(({ body }) => JSON.stringify(body.data))
  })
  expect(await answers[1]).toEqual(await answers[0])
})
