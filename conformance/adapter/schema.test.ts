import { RESULT_BYTES } from '@pdpp/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { onEveryTransport } from './fixtures/agent.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const everything = () => world.package('everything', 'mail', 'chat', 'notes')
const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

onEveryTransport((kind) => {
  const agentOf = async () => world.agent(kind, await everything())
  const mailAgent = async () => world.agent(kind, await world.grant('mail'))

  verifies('000.5.1', 'without arguments it is a short index of all granted streams', async () => {
    const { text, structured } = await (await agentOf()).use('schema')
    expect(structured.data.detail).toBe('compact')
    for (const name of [
      'mail',
      'chat',
      'notes',
      'messages',
      'attachments',
      'hoard',
      'home',
      'work',
      'team',
      'notebook',
    ])
      expect(text).toContain(name)
    expect(text).toContain('schema with stream')
    expect(text).toMatch(/^mail "Mail" connection_id=home "Home mail" or work "Work mail": .*messages/m)
    expect(jsonBytes(structured)).toBeLessThan(RESULT_BYTES.default)
    // The index does not describe every field.
    expect(JSON.stringify(structured)).not.toContain('field_capabilities')
    expect(text + JSON.stringify(structured)).not.toMatch(/sensor|readings/)
  })

  verifies(['000.5.2', 'point 6', 'point 20'], 'a stream of two connectors is described for both', async () => {
    const { text, structured } = await (await agentOf()).use('schema', { stream: 'messages' })
    expect(text).toContain('This token reads several sources: pass connection_id.')
    expect(text).toMatch(/stream messages of mail/)
    expect(text).toMatch(/stream messages of chat/)
    expect(text).toContain('pass connection_id')
    for (const part of ['subject[', 'sent_at[', 'channel[', 'home', 'work', 'team', 'flags: '])
      expect(text).toContain(part)
    const rows = structured.data.connectors.flatMap(({ streams }: any) => streams)
    expect(rows.map(({ name }: any) => name)).toEqual(['messages', 'messages'])
  })

  verifies('000.5.3', 'stream and connection_id return only that connection', async () => {
    const { text, structured } = await (await agentOf()).use('schema', { stream: 'messages', connection_id: 'home' })
    expect(structured.data.connectors.map(({ connector_key }: any) => connector_key)).toEqual(['mail'])
    expect(structured.data.connectors[0].granted_connections).toEqual([
      { connection_id: 'home', display_name: 'Home mail' },
    ])
    expect(text).not.toMatch(/\bwork\b|\bteam\b/)
    expect(text).toContain('stream messages of mail "Mail" connection_id=home "Home mail"')
    for (const part of ['fields: ', 'projection: ', 'sort: ', 'count: ', 'expand: attachments', 'search: lexical'])
      expect(text).toContain(part)
    // The text names the possible values of `view` and `expand_limit`.
    expect(text).toContain('views: summary (id, subject, sent_at)')
    expect(text).toContain('expand: attachments (attachments, 5 unless expand_limit, at most 20);')
    // The text shows filters, sorting and aggregations for each field.
    expect(text).toContain('sent_at[t=date-time,eq,r=gte|gt|lte|lt,s,a=group_by_time|min|max]')
    expect(text).toContain('sender[t=string,role=actor,eq,a=count_distinct|group_by]')
  })

  verifies('000.5.3', 'a relation that the grant makes unusable is not offered', async () => {
    const agent = await world.agent(kind, await world.grant('unlinked'))
    const { text, structured } = await agent.use('schema', { stream: 'messages' })
    expect(structured.data.connectors[0].streams[0].expand_capabilities).toMatchObject([
      { name: 'attachments', usable: false },
    ])
    expect(text).toContain('expand: none;')
    expect(text).not.toContain('attachments')
    await agent.refusal('query_records', { stream: 'messages', expand: ['attachments'] })
  })

  verifies('000.5.2', 'the example call reads useful fields', async () => {
    const agent = await agentOf()
    const examples = [
      ...(await agent.read('schema', { stream: 'messages' })).matchAll(/^example: query_records (.*)$/gm),
    ]
    const fields = examples.map(([, call]) => JSON.parse(call!).fields)
    expect(fields).toContainEqual(['sent_at', 'sender', 'subject', 'body'])
    expect(fields).toContainEqual(['sent_at', 'author', 'channel', 'said'])
    for (const [, call] of examples) await agent.use('query_records', JSON.parse(call!))
    // The example has only granted fields. The time and the key are always granted.
    const narrow = await world.agent(kind, await world.grant('subjects'))
    const [, call] = /^example: query_records (.*)$/m.exec(await narrow.read('schema', { stream: 'messages' }))!
    expect(JSON.parse(call!).fields).toEqual(['sent_at', 'subject', 'id'])
    await narrow.use('query_records', JSON.parse(call!))
  })

  test('the view and the limit in the text can be used', async () => {
    const agent = await mailAgent()
    const source = { stream: 'messages', connection_id: 'home' }
    const text = await agent.read('schema', source)
    const [, view, fields] = /^views: (\w+) \(([^)]*)\)/m.exec(text)!
    const page = await agent.use('query_records', { ...source, view, limit: 1 })
    expect(Object.keys(page.structured.data.data[0].data)).toEqual(fields!.split(', '))
    const [, relation, usual, most] = /expand: (\w+) \(\w+, (\d+) unless expand_limit, at most (\d+)\)/.exec(text)!
    expect([relation, usual, most]).toEqual(['attachments', '5', '20'])
    await agent.use('query_records', { ...source, expand: [relation], expand_limit: { [relation!]: Number(most) } })
    const over = { ...source, expand: [relation], expand_limit: { [relation!]: Number(most) + 1 } }
    expect((await agent.refusal('query_records', over)).code).toBe('invalid_expand')
    // The text does not name a view with a hidden field, because using it would be refused.
    const narrow = await world.agent(kind, await world.grant('unlinked'))
    expect(await narrow.read('schema', { stream: 'messages' })).toContain('views: summary')
  })

  verifies('000.5.4', 'the flags have a legend, and calls that they allow work', async () => {
    const agent = await mailAgent()
    const text = await agent.read('schema', { stream: 'messages', connection_id: 'home' })
    const legend = /^flags: (.*)$/m.exec(text)![1]!
    const fields = new Map([...text.matchAll(/(\w+)\[([^\]]*)\]/g)].map(([, name, flags]) => [name!, flags!]))
    expect(fields.get('sent_at')).toBeDefined()
    for (const flags of fields.values())
      for (const flag of flags.split(/[ ,;]+/).filter(Boolean)) {
        const name = flag.replace(/[=:(].*$/, '')
        expect(legend, `the flag ${flag}`).toMatch(new RegExp(`(^|; )${name}\\b`))
      }
    const call = /^example: query_records (\{.*\})$/m.exec(text)
    expect(call).not.toBeNull()
    await agent.use('query_records', JSON.parse(call![1]!))
    // Every use that a flag allows is tried, with names and values from the text alone.
    const having = (flag: RegExp) => [...fields].find(([, flags]) => flag.test(flags))![0]
    const source = { stream: 'messages', connection_id: 'home' }
    const value = /^most frequent sender: (\S+) (\d+)/m.exec(text)!
    const filtered = await agent.use('query_records', {
      ...source,
      filter: { sender: value[1] },
      fields: [having(/\beq\b/)],
    })
    expect(filtered.structured.data.data).toHaveLength(Number(value[2]))
    await agent.use('query_records', { ...source, filter: { [having(/\br=gte/)]: { gte: '2026-01-01' } }, limit: 1 })
    await agent.use('query_records', { ...source, sort: `-${having(/(^|,)s(,|$)/)}`, limit: 1 })
    await agent.use('aggregate', { ...source, metric: 'count', group_by: [having(/a=\S*group_by\b/)] })
    await agent.use('aggregate', { ...source, metric: 'sum', field: having(/a=\S*\bsum\b/) })
    await agent.use('search', { query: `${having(/\blex\b/)}:report`, connection_id: 'home', limit: 1 })
  })

  verifies('000.5.5', 'full detail of everything is refused before any request', async () => {
    const agent = await agentOf()
    const routes = await world.routes(async () => {
      const error = await agent.refusal('schema', { detail: 'full' })
      expect(error.next_step).toContain('schema(stream, connection_id, detail: "full")')
    })
    expect(routes.filter((route) => route.startsWith('/v1'))).toEqual([])
  })

  verifies(['000.5.6', 'point 6'], 'full detail of a stream with several sources is ambiguous', async () => {
    const agent = await agentOf()
    const error = await agent.refusal('schema', { stream: 'messages', detail: 'full' })
    expect(error).toMatchObject({ code: 'ambiguous_connection', http_status: 409, retry_with: 'connection_id' })
    expect(error.available_connections.map((one: any) => one.connection_id).toSorted()).toEqual(
      expect.arrayContaining(['home', 'team', 'work']),
    )
    const { structured, text } = await agent.use('schema', {
      stream: 'messages',
      connection_id: 'home',
      detail: 'full',
    })
    expect(structured.data.data).toBeUndefined()
    expect(structured.data.streams).toBeUndefined()
    const [connector, ...others] = structured.data.connectors
    expect([connector.connector_key, others]).toEqual(['mail', []])
    expect(connector.streams.map(({ name }: any) => name)).toEqual(['messages'])
    expect(JSON.stringify(structured)).not.toMatch(/"(work|team)"/)
    expect(jsonBytes(structured)).toBeLessThan(RESULT_BYTES.large)
    expect(text).toContain('sent_at')
  })

  verifies('003.7.1', 'the compact body of the server arrives unchanged', async () => {
    const agent = await mailAgent()
    const { token } = await world.grant('mail')
    for (const [args, query] of [
      [{}, ''],
      [{ stream: 'messages' }, '&stream=messages'],
      [{ stream: 'messages', connection_id: 'home' }, '&stream=messages&connection_id=home'],
    ] as const) {
      const sentBefore = world.proxy.requests.length
      const { structured } = await agent.use('schema', args)
      expect(structured).toEqual({ data: await world.rest(`/v1/schema?view=compact${query}`, token) })
      if (!agent.isStdio) continue
      const [sent] = world.proxy.requests.slice(sentBefore)
      expect([sent!.path, sent!.query.toString()]).toEqual(['/v1/schema', `view=compact${query}`])
    }
  })

  verifies(['003.7.3', 'point 6'], 'the full body of the server arrives unchanged', async () => {
    const agent = await mailAgent()
    const { token } = await world.grant('mail')
    const { structured } = await agent.use('schema', { stream: 'attachments', connection_id: 'home', detail: 'full' })
    const { streams: _copies, ...whole } = await world.rest(
      '/v1/schema?detail=full&stream=attachments&connection_id=home',
      token,
    )
    expect(structured).toEqual({ data: whole })
    expect(structured.data.detail).not.toBe('compact')
    const [row] = structured.data.connectors[0].streams
    expect(row.schema).toMatchObject({ type: 'object' })
  })

  test('a stream outside the grant is refused with similar names', async () => {
    const agent = await mailAgent()
    const hidden = await agent.refusal('schema', { stream: 'notes' })
    expect(hidden).toMatchObject({ code: 'grant_stream_not_allowed', http_status: 403, param: 'stream' })
    expect(hidden.message).toContain('messages, attachments')
    expect(hidden.next_step).toContain('schema')
    // This name is as long as that of the hidden stream, because the URL contains the requested name (point 43).
    const absent = await agent.refusal('schema', { stream: 'vacua' })
    const withoutNames = (refusal: Record<string, unknown>) => ({
      ...refusal,
      message: '',
      request_id: '',
      request_access_url: String(refusal['request_access_url']).length,
    })
    expect(withoutNames(absent)).toEqual(withoutNames(hidden))
    expect((await agent.refusal('schema', { stream: 'mesages' })).message).toContain('Nearest: messages.')
    const full = { stream: 'mesages', connection_id: 'home', detail: 'full' }
    expect((await agent.refusal('schema', full)).message).toContain('Nearest: messages.')
    // If the stream exists in another connection, the error names that connection.
    const misplaced = await (await agentOf()).refusal('schema', { stream: 'notes', connection_id: 'home' })
    expect(misplaced).toMatchObject({ code: 'grant_stream_not_allowed', param: 'stream' })
    expect(misplaced.message).toContain('It is in: notebook.')
    expect(misplaced.next_step).toContain('connection_id')
    // The error of a package covers all its members.
    expect((await (await agentOf()).refusal('schema', { stream: 'note' })).message).toMatch(/Nearest: notes\..*hoard/)
  })
})
