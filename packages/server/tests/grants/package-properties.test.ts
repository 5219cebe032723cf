// A package shows exactly what its members show, whatever the grants are.
import fc from 'fast-check'
import { expect } from 'vitest'
import { at, message } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { note, type PackageServer, packageServer } from './package-support.ts'

const CONNECTIONS = { home: 'messages', work: 'messages', diary: 'notes', recipes: 'notes' } as const
type ConnectionId = keyof typeof CONNECTIONS
const FIELDS = { messages: ['subject', 'body', 'sender'], notes: ['title', 'text', 'mood'] } as const
const WORDS = ['ferry', 'storm', 'bread', 'letter', 'quiet']
const words = (n: number) => `${WORDS[n % 5]} ${WORDS[(n * 3 + 1) % 5]}`

async function filled(twist = (_field: string, text: string) => text): Promise<PackageServer> {
  const test = await packageServer()
  for (const [id, stream] of Object.entries(CONNECTIONS)) {
    const rows = Array.from({ length: 9 }, (_, n) => {
      const texts = FIELDS[stream].map((field, index) => [field, twist(field, words(n + index))] as const)
      const data = Object.fromEntries(texts)
      return stream === 'messages' ? message(n, data) : note(`n${n}`, { ...data, written_at: at(n) })
    })
    await test.ingest(stream, id, rows)
  }
  return test
}

const member = (id: ConnectionId) =>
  fc.record({
    connections: fc.constant([id]),
    streams: fc
      .subarray([...FIELDS[CONNECTIONS[id]]], { minLength: 1 })
      .map((fields) => [{ name: CONNECTIONS[id], fields }]),
    since: fc.option(fc.integer({ min: 0, max: 8 }).map(at), { nil: undefined }),
    resources: fc.option(
      fc.subarray(
        Array.from({ length: 9 }, (_, n) => `${CONNECTIONS[id] === 'messages' ? 'm' : 'n'}${n}`),
        { minLength: 1 },
      ),
      { nil: undefined },
    ),
  })
const members = fc
  .subarray(Object.keys(CONNECTIONS) as ConnectionId[], { minLength: 1 })
  .chain((ids) => fc.tuple(...ids.map(member)))

verifies('checklist 16', 'shows through a package exactly the union of what its members show', async () => {
  const test = await filled()
  await fc.assert(
    fc.asyncProperty(members, fc.constantFrom(...WORDS), async (requests, word) => {
      const grants = await Promise.all(requests.map((request) => test.grant(request)))
      const pack = await test.pack(grants.map(({ grantId }) => grantId))
      const found: string[] = []
      for (const [index, { connections, streams }] of requests.entries()) {
        const path = `/v1/streams/${streams[0]!.name}/records?limit=100&count=exact&connection_id=${connections[0]}`
        const [own, through] = [await grants[index]!.get(path), await pack.get(path)]
        expect(through.body).toEqual(own.body)
        const search = await grants[index]!.get(`/v1/search?q=${word}&limit=100`)
        found.push(...search.body.data.map((hit: any) => hit.id))
      }
      const merged = (await pack.get(`/v1/search?q=${word}&limit=100`)).body.data
      expect(merged.map((hit: any) => hit.id).toSorted()).toEqual(found.toSorted())
      const schema = (await pack.get('/v1/schema?view=compact')).body.connectors
      const counts = schema.flatMap((entry: any) => entry.streams.map((stream: any) => stream.record_count))
      const own = await Promise.all(grants.map(({ get }) => get('/v1/streams')))
      expect(counts).toEqual(own.map(({ body }) => body.data[0].record_count))
    }),
    { numRuns: 12 },
  )
})

verifies('checklist 16', 'gives the same bytes whatever a hidden field of any member holds', async () => {
  const hidden = new Set(['body', 'sender', 'text', 'mood'])
  const servers = [
    await filled(),
    await filled((field, text) => (hidden.has(field) ? `${text} storm storm ${field} ferry`.repeat(7) : text)),
  ]
  const answers = await Promise.all(
    servers.map(async (test) => {
      const request = (id: ConnectionId) => ({
        connections: [id],
        client_id: 'cli_fixed',
        streams: [{ name: CONNECTIONS[id], fields: [FIELDS[CONNECTIONS[id]][0]] }],
      })
      const grants = await Promise.all((['home', 'work', 'diary'] as const).map((id) => test.grant(request(id))))
      const pack = await test.pack(grants.map(({ grantId }) => grantId))
      const paths = [
        '/v1/schema',
        '/v1/schema?view=compact&stream=notes',
        '/v1/streams',
        '/v1/connectors',
        ...WORDS.map((word) => `/v1/search?q=${word}+storm&count=exact&limit=4`),
        '/v1/search?q=mood:ferry',
        '/v1/search?q=%22storm+storm%22',
        '/v1/streams/notes/records?connection_id=diary',
        '/v1/streams/notes/records',
        '/v1/streams/notes/aggregate?metric=count&connection_id=diary',
      ]
      const texts: string[] = []
      for (const path of paths) {
        const { status, text } = await pack.get(path)
        texts.push(`${path} ${status} ${stable(text, pack.packageId, ...grants.map(({ grantId }) => grantId))}`)
      }
      return texts
    }),
  )
  expect(answers[1]).toEqual(answers[0])
})

function stable(text: string, ...ids: string[]): string {
  return (
    ids
      .reduce((result, id, index) => result.replaceAll(id, `ID${index}`), text)
      .replaceAll(/req_[0-9a-f]+/g, 'REQUEST')
      // The address of a wish contains the id of the grant and a seal. Its length must not differ.
      .replaceAll(/\/wishes\/([\w-]+)/g, (_, token) => `/wishes/${token.length}`)
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'ORIGIN')
      .replaceAll(/"(captured_at|last_attempted_at|last_updated|indexed_through)":"[^"]+"/g, '"$1":"T"')
      .replaceAll(/"next_cursor":"[^"]+"|cursor=[\w-]+/g, (match) => `cursor of ${match.length}`)
  )
}
