import { formatResultId, RESULT_BYTES } from '@pdpp/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { onEveryTransport } from './fixtures/agent.ts'
import { AWKWARD_KEYS, at, EMITTED_AT, SHARED_WORD } from './fixtures/sources.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
/** Matches direction marks, zero-width characters and control characters other than line feeds. */
const HIDDEN = /\u202e|\u200b|(?!\n)\p{Cc}/u
const hitIds = (text: string) => [...text.matchAll(/^\d+\. (.+?)(?: · |$)/gm)].map(([, id]) => id!)
const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

onEveryTransport((kind) => {
  const mail = async () => world.agent(kind, await world.grant('mail'))
  const notes = async () => world.agent(kind, await world.grant('notes'))
  const everything = async () => world.agent(kind, await world.package('everything', 'mail', 'chat', 'notes'))

  verifies(['000.6.1', 'point 8', 'point 30', 'point 31'], 'the limit applies to all sources together', async () => {
    const agent = await everything()
    const { text, structured } = await agent.use('search', { query: SHARED_WORD, limit: 4 })
    expect(structured.results).toHaveLength(4)
    expect(structured.data.data).toHaveLength(4)
    const lines = text.split('\n')
    for (const [index, hit] of structured.data.data.entries()) {
      expect(hit).toMatchObject({
        id: expect.stringContaining(`${hit.connection_id}/${hit.stream}:`),
        connection_id: expect.stringMatching(/^(home|work|team|notebook)$/),
        connector_key: expect.stringMatching(/^(mail|chat|notes)$/),
        record_key: expect.any(String),
        display_name: expect.stringMatching(/mail|chat|Notebook/),
      })
      expect(structured.results[index]).toEqual({
        id: hit.id,
        // If the hit has no title, only `results` has one. It is made from other members of the hit.
        title: hit.title ?? `${hit.actor} / ${hit.place} / ${hit.authored_at.slice(0, 16).replace('T', ' ')}Z`,
        url: expect.stringContaining(`/r/${encodeURIComponent(hit.id)}`),
        connection_id: hit.connection_id,
      })
      // The line of each hit names its source, because the hits are from several sources.
      const line = lines.find((one) => one.startsWith(`${index + 1}. ${hit.id} · `))!
      expect(line.split(' · ')).toContain(hit.display_name)
    }
    const mix = /^Sources: (.*)\.$/m.exec(text)![1]!
    expect(mix.split(', ').length).toBeGreaterThan(1)
    for (const part of mix.split(', ')) expect(part).toMatch(/^[\w ]+ \((mail|chat|notes)\) \d+$/)
    const counted = mix.split(', ').reduce((sum, part) => sum + Number(part.split(' ').at(-1)), 0)
    expect(counted).toBe(4)
    // Tags are in pairs, and there are no other marks around matched words.
    const opened = [...text.matchAll(/<mark>/g)].length
    expect(opened).toBe([...text.matchAll(/<\/mark>/g)].length)
    expect(text).not.toMatch(new RegExp(`[*_\\[»«]{1,2}${SHARED_WORD}`))
  })

  verifies('000.6.1', 'a hit without a title is named by its source and time', async () => {
    const { structured } = await (await everything()).use('search', { query: SHARED_WORD, connection_id: 'team' })
    const [hit] = structured.results
    expect(hit.title).toBe(`Cleo Example / birds / ${at(3).slice(0, 16).replace('T', ' ')}Z`)
    expect(EMITTED_AT).not.toContain(at(3).slice(0, 10))
  })

  verifies(['000.6.2', '003.16.4'], 'with connection_id only that connection is searched', async () => {
    const { structured, text } = await (await everything()).use('search', {
      query: SHARED_WORD,
      connection_id: 'home',
      limit: 1,
    })
    expect(structured.results.map(({ connection_id }: any) => connection_id)).toEqual(['home'])
    expect(text).not.toMatch(/Work mail|Team chat|Notebook/)
    const all = await (await everything()).use('search', { query: SHARED_WORD, connection_id: 'home' })
    expect(all.structured.results).toHaveLength(2)
  })

  verifies(['003.8.1', 'point 25'], 'hits have stable ids, readable titles and URLs', async () => {
    const agent = await mail()
    const { structured } = await agent.use('search', { query: SHARED_WORD })
    const again = await agent.use('search', { query: SHARED_WORD })
    expect(again.structured.results).toEqual(structured.results)
    expect(structured.results.map(({ title }: any) => title)).toContain('A long walk')
    const urls: string[] = structured.results.map(({ url }: any) => url)
    expect(new Set(urls).size).toBe(urls.length)
    // URLs have the server's own origin. Over stdio the agent reaches the server through a proxy at another origin.
    expect(world.proxy.url).not.toBe(world.server.url)
    for (const { id, url } of structured.results) expect(url).toBe(`${world.server.url}/r/${encodeURIComponent(id)}`)
    // The URL is a page of this server. Without a session it redirects to the sign-in page and is never a 404.
    const page = await fetch(urls[0]!, { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      `/owner/sign-in?return_to=${encodeURIComponent(new URL(urls[0]!).pathname)}`,
    ])
  })

  verifies(
    ['000.7.1', '003.8.2', '003.15.1', 'point 3', 'point 22'],
    'fetch returns a hit as one document',
    async () => {
      const agent = await mail()
      const found = await agent.use('search', { query: SHARED_WORD })
      for (const { id, title, connection_id, url } of found.structured.results) {
        const { structured, text } = await agent.use('fetch', { id })
        expect(Object.keys(structured).toSorted()).toEqual(['id', 'metadata', 'text', 'title', 'url'])
        expect(JSON.parse(text)).toEqual(structured)
        expect(structured).toMatchObject({ id, title })
        // URLs have the server's own origin, even if the agent reaches it at another one.
        expect([url, structured.url]).toEqual(Array(2).fill(`${world.server.url}/r/${encodeURIComponent(id)}`))
        expect(structured.metadata).toMatchObject({
          stream: 'messages',
          connection_id,
          connector_key: 'mail',
          display_name: connection_id === 'home' ? 'Home mail' : 'Work mail',
        })
        expect(structured.text).toContain('sender: ')
        expect(text).not.toMatch(/"(data|provider_url|request_id)":/)
        expect(jsonBytes(structured)).toBeLessThanOrEqual(RESULT_BYTES.default)
      }
    },
  )

  verifies('000.7.2', 'a document contains only the requested fields', async () => {
    const agent = await mail()
    const { structured } = await agent.use('fetch', { id: 'work/messages:shared', fields: ['size'] })
    expect(structured.text).toBe('size: 5')
    expect(JSON.stringify(structured)).not.toMatch(/Ada Example|The same key|kestrel|2026-01-02/)
    expect(structured.metadata).toMatchObject({ stream: 'messages', connection_id: 'work', connector_key: 'mail' })
    expect(structured.id).toBe('work/messages:shared')
  })

  verifies('003.15.2', 'title and text come from the data inside the record', async () => {
    const agent = await notes()
    const { structured } = await agent.use('fetch', { id: 'notebook/notes:bird' })
    expect(structured.title).toBe(`On the ${SHARED_WORD}`)
    expect(structured.text).toContain('It is a falcon.')
    expect(structured.text).not.toMatch(/structuredContent|"object":"record"/)
  })

  verifies(['003.14.1', '003.19.1', 'point 8', 'point 9', 'point 31'], 'the text shows complete ids', async () => {
    const { text, structured } = await (await everything()).use('search', { query: SHARED_WORD })
    expect(hitIds(text).toSorted()).toEqual(structured.results.map(({ id }: any) => id).toSorted())
    expect(new Set(structured.results.map((hit: any) => hit.connection_id)).size).toBe(4)
    for (const { id, connection_id, stream, record_key } of structured.data.data)
      expect(id).toBe(formatResultId({ connectionId: connection_id, stream, recordKey: record_key }))
    expect(text).toContain('Third-party text. fetch an id as shown; connection_id only where shown.')
    for (const key of ['mail', 'chat', 'notes']) expect(text).toMatch(new RegExp(`^Sources: .*\\(${key}\\) \\d`, 'm'))
    // If all hits are from one source, the text names it once, with its connector key.
    const one = await (await everything()).read('search', { query: SHARED_WORD, connection_id: 'home' })
    expect(one).toContain('\nSource: Home mail (mail).\n')
    expect(one.match(/Home mail/g)).toHaveLength(1)
    expect(text).toContain('"The same key in home"')
    expect(text).toContain(`A short ${SHARED_WORD} sighting, noted in home.`)
    // The id already contains the connection.
    expect(text).not.toContain('connection_id=')
    expect(text).not.toContain('{"')
  })

  verifies(['003.14.2', 'point 8', 'point 31', 'point 42'], 'many large hits stay within the budget', async () => {
    const agent = await notes()
    const from = world.proxy.requests.length
    const { text, structured } = await agent.use('search', { query: 'treasure', limit: 100 })
    // The server measures the page, so the adapter never has to request it twice.
    if (agent.isStdio)
      expect(world.proxy.requests.slice(from).filter(({ path }) => path.startsWith('/v1/search'))).toHaveLength(1)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(RESULT_BYTES.default)
    expect(jsonBytes(structured)).toBeLessThanOrEqual(RESULT_BYTES.default)
    expect(structured.data).toMatchObject({ object: 'list', has_more: true, next_cursor: expect.any(String) })
    expect(structured.data.data).toHaveLength(structured.results.length)
    expect(hitIds(text)).toHaveLength(structured.results.length)
    // The cursor comes first, because hosts cut the end.
    for (const part of [text, JSON.stringify(structured)])
      expect(part.slice(0, 2_048)).toContain(structured.data.next_cursor)
  })

  verifies(['003.19.2', 'point 9'], 'an id from the text can be fetched without other arguments', async () => {
    const agent = await everything()
    const ids = hitIds(await agent.read('search', { query: `"short ${SHARED_WORD}"` }))
    expect(ids.toSorted()).toEqual(['home/messages:shared', 'work/messages:shared'])
    for (const id of ids) {
      const from = world.proxy.requests.length
      const { structured } = await agent.use('fetch', { id })
      expect(structured.id).toBe(id)
      expect(structured.title).toBe(`The same key in ${id.split('/')[0]}`)
      if (!agent.isStdio) continue
      const [read] = world.proxy.requests.slice(from).filter(({ path }) => path.startsWith('/v1/streams'))
      expect([read!.path, read!.query.get('connection_id')]).toEqual([
        '/v1/streams/messages/records/shared',
        id.split('/')[0],
      ])
    }
  })

  verifies(['003.19.3', 'point 9', 'point 14'], 'a legacy id works if it is unambiguous', async () => {
    const agent = await mail()
    expect((await agent.use('fetch', { id: 'messages:long' })).structured.metadata.connection_id).toBe('home')
    const error = await agent.refusal('fetch', { id: 'messages:shared' })
    expect(error).toMatchObject({ code: 'ambiguous_connection', http_status: 409, retry_with: 'connection_id' })
    expect(error.available_connections.map((one: any) => one.connection_id)).toEqual(['home', 'work'])
    const { structured } = await agent.use('fetch', { id: 'messages:shared', connection_id: 'work' })
    expect(structured.title).toBe('The same key in work')
    // A legacy id is not decoded: a percent sign is a percent sign.
    const own = await notes()
    expect((await own.use('fetch', { id: 'notes:a%2Fb' })).structured.title).toBe('Note 3')
    expect((await own.use('fetch', { id: 'notes:folder:sub:leaf' })).structured.title).toBe('Note 1')
  })

  verifies('003.19.4', 'an id and a connection_id that disagree are refused before any call', async () => {
    const agent = await mail()
    for (const [tool, more] of [
      ['fetch', {}],
      ['read_record_field', { field_path: 'body' }],
    ] as const) {
      const routes = await world.routes(async () => {
        const error = await agent.refusal(tool, { id: 'home/messages:shared', connection_id: 'work', ...more })
        expect(error).toMatchObject({ code: 'conflicting_connection_id', param: 'connection_id' })
      })
      expect(routes.filter((route) => route.startsWith('/v1'))).toEqual([])
      await agent.use(tool, { id: 'home/messages:shared', connection_id: 'home', ...more })
    }
  })

  verifies(['003.19.5', 'point 9'], 'malformed ids and traversal are refused before any call', async () => {
    const agent = await mail()
    for (const id of [
      '/messages:shared',
      'home/:shared',
      'home/messages:',
      'home/messages',
      'home/messages:a/b',
      'home/work/messages:shared',
      'home/messages:../../owner',
      '../home/messages:shared',
      'home/../messages:shared',
      'home/messages:..',
      'home/messages:.',
      'home/messages:a\\b',
      'home/messages:a%zzb',
      'messages:..',
      'messages:../x',
      'shared',
      '',
      'home%2Fmessages:shared',
      'ho me/messages:shared',
    ]) {
      const routes = await world.routes(async () => {
        const error = await agent.refusal('fetch', { id })
        expect([id, error.code]).toEqual([id, 'invalid_argument'])
      })
      expect([id, routes.filter((route) => route.startsWith('/v1'))]).toEqual([id, []])
    }
    // Encoded separators are part of a key and stay one segment of the URL, so there is no such record.
    const from = world.proxy.requests.length
    expect((await agent.refusal('fetch', { id: 'home/messages:..%2F..%2Fowner' })).code).toBe('not_found')
    if (agent.isStdio)
      expect(world.proxy.requests.slice(from).map(({ path }) => path)).toContain(
        '/v1/streams/messages/records/..%2F..%2Fowner',
      )
  })

  test('records with unusual keys can be found, fetched and read by field', async () => {
    const agent = await notes()
    for (const [n, recordKey] of AWKWARD_KEYS.entries()) {
      const { structured } = await agent.use('search', { query: `marker${n}` })
      const [hit] = structured.data.data
      expect(hit).toMatchObject({
        id: formatResultId({ connectionId: 'notebook', stream: 'notes', recordKey }),
        record_key: recordKey,
      })
      expect((await agent.use('fetch', { id: hit.id })).structured).toMatchObject({ id: hit.id, title: `Note ${n}` })
      const field = await agent.use('read_record_field', { id: hit.id, field_path: 'text' })
      expect(field.structured.window.text).toBe(`Words of note ${n}: marker${n} 👩🏽‍🚀 ends.`)
    }
  })

  test('text of a record cannot hide or look like text of the server', async () => {
    const agent = await notes()
    const text = await agent.read('search', { query: 'needleword' })
    expect(text).not.toMatch(HIDDEN)
    expect(text).not.toContain('](https://evil.example')
    expect(text).toContain('Third-party text.')
    expect((await agent.use('fetch', { id: 'notebook/notes:injection' })).structured.text).not.toMatch(HIDDEN)
  })
})
