import { expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import type { Agent } from './fixtures/agent.ts'
import { onEveryTransport } from './fixtures/agent.ts'
import { mailSource } from './fixtures/sources.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const idsIn = (text: string) => [...text.matchAll(/^(\w+\/\w+:\S+) \|/gm)].map(([, id]) => id!)
const rowsOf = (structured: any): any[] => structured.data.data

/** Removes the URLs of records. Every row of `/v1` has one, but tables leave it out, because it follows from the id. */
function withoutUrls(rows: any[]): unknown[] {
  return rows.map(({ url, expanded, ...row }) => {
    const id = `${row.connection_id}/${row.stream}:${row.id}`
    expect(url).toBe(`${world.server.url}/r/${encodeURIComponent(id)}`)
    const related = Object.entries<any>(expanded ?? {}).map(([name, list]) => [
      name,
      { ...list, data: withoutUrls(list.data) },
    ])
    return expanded === undefined ? row : { ...row, expanded: Object.fromEntries(related) }
  })
}

/** Calls a tool and returns its request too. Requests can only be recorded between the stdio adapter and the server. */
async function sentBy(agent: Agent, tool: string, args: object) {
  const from = world.proxy.requests.length
  const result = await agent.use(tool, args)
  const sent = world.proxy.requests.slice(from).filter(({ path }) => path.startsWith('/v1/streams'))
  return { result, query: agent.isStdio ? sent.at(-1)!.query : undefined, sent }
}

async function readsOf(agent: Agent, during: () => Promise<unknown>): Promise<string[]> {
  const routes = await world.routes(during)
  expect(routes.includes('/mcp')).toBe(!agent.isStdio)
  return routes.filter((route) => route.startsWith('/v1'))
}

onEveryTransport((kind) => {
  const mail = async () => world.agent(kind, await world.grant('mail'))
  const subjects = async () => world.agent(kind, await world.grant('subjects'))

  verifies(['000.2.3', '003.6.3'], 'a read is one request to /v1 with the same token and result', async () => {
    const agent = await mail()
    const from = world.proxy.requests.length
    const reads = await readsOf(agent, () => agent.use('query_records', { stream: 'attachments', limit: 3 }))
    expect(reads).toEqual(['/v1/streams/:stream/records'])
    const { structured } = await agent.use('query_records', { stream: 'attachments', limit: 3 })
    const rest = await world.rest('/v1/streams/attachments/records?limit=3', agent.access.token)
    expect(rowsOf(structured)).toEqual(withoutUrls(rest.data))
    for (const { authorization, path } of world.proxy.requests.slice(from))
      if (path.startsWith('/v1')) expect(authorization).toBe(`Bearer ${agent.access.token}`)
  })

  verifies('000.2.3', 'a refused read is not retried in another way', async () => {
    const agent = await subjects()
    const from = world.proxy.requests.length
    const reads = await readsOf(agent, async () => {
      const outside = await agent.refusal('query_records', { stream: 'messages', filter: { sender: 'Ada Example' } })
      expect(outside).toMatchObject({ code: 'field_not_granted', http_status: 403 })
    })
    expect(reads).toHaveLength(1)
    expect((await agent.refusal('query_records', { stream: 'attachments' })).code).toBe('grant_stream_not_allowed')
    expect((await agent.refusal('query_records', { stream: 'messages', connection_id: 'work' })).http_status).not.toBe(
      401,
    )
    for (const args of [
      { stream: 'messages', sort: 'size' },
      { stream: 'messages', fields: ['body'] },
    ])
      expect((await agent.refusal('query_records', args)).code).toBe('field_not_granted')
    const tokens = new Set(world.proxy.requests.slice(from).flatMap(({ authorization }) => authorization ?? []))
    expect([...tokens]).toEqual(agent.isStdio ? [`Bearer ${agent.access.token}`] : [])
    const { text, structured } = await agent.use('query_records', { stream: 'messages', limit: 2 })
    expect(Object.keys(rowsOf(structured)[0].data).toSorted()).toEqual(['id', 'sent_at', 'subject'])
    expect(text + JSON.stringify(structured)).not.toMatch(/writer-|Figures/)
  })

  verifies('003.2.2', 'every argument that the server supports is passed on unchanged', async () => {
    const agent = await mail()
    const args = {
      stream: 'messages',
      connection_id: 'home',
      fields: ['subject', 'size'],
      filter: { size: { gte: 20, lt: 60 } },
      sort: '-size',
      limit: 2,
      count: 'exact',
    }
    const { result, query } = await sentBy(agent, 'query_records', args)
    expect(rowsOf(result.structured).map(({ data }) => data.size)).toEqual([50, 40])
    expect(result.structured.data.meta.count).toEqual({ kind: 'exact', value: 4 })
    if (query) {
      expect(query.get('fields')).toBe('subject,size')
      expect(query.get('sort')).toBe('-size')
      expect(query.get('connection_id')).toBe('home')
      expect([query.get('limit'), query.get('count')]).toEqual(['2', 'exact'])
    }
    const { next_cursor: cursor } = result.structured.data
    const next = await sentBy(agent, 'query_records', { ...args, cursor })
    expect(rowsOf(next.result.structured).map(({ data }) => data.size)).toEqual([30, 20])
    const view = await sentBy(agent, 'query_records', {
      stream: 'messages',
      connection_id: 'home',
      view: 'summary',
      limit: 1,
    })
    expect(Object.keys(rowsOf(view.result.structured)[0].data).toSorted()).toEqual(['id', 'sent_at', 'subject'])
    const ordered = await sentBy(agent, 'query_records', { ...args, sort: 'size', order: 'asc' })
    expect(rowsOf(ordered.result.structured)[0].data.size).toBe(20)
  })

  verifies('003.2.2', 'an unknown argument is refused by name and never sent', async () => {
    const agent = await mail()
    for (const [tool, args, name] of [
      ['query_records', { stream: 'messages', where: 'size > 3' }, 'where'],
      ['query_records', { stream: 'messages', connector_instance_id: 'home' }, 'connector_instance_id'],
      ['query_records', { stream: 'messages', max_bytes: 5 }, 'max_bytes'],
      ['aggregate', { stream: 'messages', metric: 'count', having: 'x' }, 'having'],
      ['search', { query: 'x', profile: 'full' }, 'profile'],
      ['fetch', { id: 'home/messages:long', raw: true }, 'raw'],
      ['read_record_field', { id: 'home/messages:long', field_path: 'body', encoding: 'x' }, 'encoding'],
      ['schema', { verbose: true }, 'verbose'],
      ['query_records', { stream: 'messages', limit: 0 }, 'limit'],
      ['query_records', {}, 'stream'],
      ['aggregate', { stream: 'messages', metric: 'median' }, 'metric'],
    ] as const) {
      const reads = await readsOf(agent, async () => {
        const error = await agent.refusal(tool, args)
        expect([error.code, error.param]).toEqual(['invalid_argument', name])
        expect(error.message).toContain(name)
      })
      expect([tool, args, reads]).toEqual([tool, args, []])
    }
  })

  verifies(['000.5.7', 'point 7'], 'the cursors in the text lead through the whole stream', async () => {
    const agent = await mail()
    const seen: string[] = []
    const args = { stream: 'messages', connection_id: 'work', fields: ['subject'], limit: 9, count: 'exact' }
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const text: string = await agent.read('query_records', cursor === '' ? args : { ...args, cursor })
      expect(text).toContain('count=exact:32')
      seen.push(...idsIn(text))
      cursor = /next_cursor=(\S+)/.exec(text)?.[1]
      expect(text.includes('has_more=true')).toBe(cursor !== undefined)
    }
    expect(seen).toHaveLength(32)
    expect(new Set(seen).size).toBe(32)
    const changes = { stream: 'attachments', connection_id: 'home', changes_since: 'beginning' }
    const bookmark = /next_changes_since=(\S+)/.exec(await agent.read('query_records', changes))![1]!
    const nothing = await agent.read('query_records', { ...changes, changes_since: bookmark })
    expect(nothing).toContain('0 records')
    const found = await agent.read('search', { query: 'report', limit: 4 })
    const cursor = /next_cursor=(\S+)/.exec(found)![1]!
    const second = await agent.read('search', { query: 'report', limit: 4, cursor })
    const hits = (text: string) => [...text.matchAll(/^\d+\. (\S+)/gm)].map(([, id]) => id)
    expect(new Set([...hits(found), ...hits(second)]).size).toBe(8)
  })

  verifies('000.7.3', 'fields narrow the data of a record but not its identity', async () => {
    const { structured, text } = await (await mail()).use('query_records', {
      stream: 'messages',
      connection_id: 'home',
      fields: ['subject'],
      limit: 5,
    })
    for (const row of rowsOf(structured)) {
      expect(Object.keys(row.data)).toEqual(['subject'])
      expect(Object.keys(row).toSorted()).toEqual(
        ['connection_id', 'connector_key', 'data', 'emitted_at', 'id', 'object', 'stream'].toSorted(),
      )
    }
    expect(text).not.toMatch(/writer-|Figures|Ada Example/)
  })

  verifies(['003.10.2', 'point 5'], 'an exact filter is sent as filter[field]=value and works', async () => {
    const { result, query } = await sentBy(await mail(), 'query_records', {
      stream: 'messages',
      filter: { sender: 'writer-3' },
      fields: ['sender'],
    })
    expect(rowsOf(result.structured).map(({ data }) => data.sender)).toEqual(Array(6).fill('writer-3'))
    if (!query) return
    expect(query.get('filter[sender]')).toBe('writer-3')
    expect(query.has('filter')).toBe(false)
  })

  verifies(['003.10.3', 'point 5'], 'a range is sent as filter[field][op]=value', async () => {
    const agent = await mail()
    const sizes = async (range: object) => {
      const args = {
        stream: 'messages',
        connection_id: 'work',
        filter: { size: range },
        fields: ['size'],
        sort: 'size',
      }
      const { result, query } = await sentBy(agent, 'query_records', args)
      for (const [operator, bound] of Object.entries(range))
        if (query) expect(query.get(`filter[size][${operator}]`)).toBe(String(bound))
      if (query) expect([...query.keys()].filter((name) => /^filter$|^filter\[size\]$/.test(name))).toEqual([])
      return rowsOf(result.structured).map(({ data }) => data.size)
    }
    expect(await sizes({ gte: 10, lte: 30 })).toEqual([10, 20, 30])
    expect(await sizes({ gt: 10, lt: 30 })).toEqual([20])
    const { query } = await sentBy(agent, 'query_records', {
      stream: 'messages',
      filter: { sent_at: { gte: '2026-01-02T00:00:00Z' } },
    })
    if (query) expect(query.get('filter[sent_at][gte]')).toBe('2026-01-02T00:00:00Z')
  })

  verifies(['003.10.4', '003.10.6', 'point 5'], 'a filter as a text is refused before any call', async () => {
    const agent = await mail()
    const others = { query_records: {}, aggregate: { metric: 'count' } }
    for (const filter of ['filter[user_id]=U123', 'amount>100', 'bare', '', '{"sender":"writer-3"}'])
      for (const [tool, more] of [...Object.entries(others), ['search', { query: 'x' }]] as const) {
        const args = tool === 'search' ? { ...more, filter } : { stream: 'messages', ...more, filter }
        const reads = await readsOf(agent, async () => {
          const error = await agent.refusal(tool, args)
          expect([error.code, error.param]).toEqual(['invalid_filter', 'filter'])
          expect(error.next_step).toContain('{"field":"value"}')
        })
        expect(reads).toEqual([])
      }
  })

  verifies('003.10.5', 'malformed filters are refused and nothing is sent', async () => {
    const agent = await mail()
    for (const filter of [
      {},
      { 'filter[user_id]': 'U123' },
      { 'size[gte]': 3 },
      { size: {} },
      { size: { between: [1, 2] } },
      { size: { eq: 3 } },
      // JavaScript rounds 9007199254740993, so the filter would find another record.
      { size: Number('9007199254740993') },
      { size: { gte: 1e19 } },
      { sender: ['a', 'b'] },
      { '': 'x' },
      [],
    ]) {
      const reads = await readsOf(agent, async () => {
        expect((await agent.refusal('query_records', { stream: 'messages', filter })).code).toBe('invalid_filter')
      })
      expect([filter, reads]).toEqual([filter, []])
    }
  })

  verifies(['003.11.1', '004.5.1', 'point 5'], 'expand and its limits reach the server unchanged', async () => {
    const agent = await mail()
    const args = {
      stream: 'messages',
      connection_id: 'home',
      filter: { id: 'home-1' },
      fields: ['subject'],
      expand: ['attachments'],
      expand_limit: { attachments: 3 },
    }
    const { result, query } = await sentBy(agent, 'query_records', args)
    const rest = await world.rest(
      '/v1/streams/messages/records?connection_id=home&filter[id]=home-1&fields=subject&expand=attachments&expand_limit[attachments]=3',
      agent.access.token,
    )
    expect(rowsOf(result.structured)).toEqual(withoutUrls(rest.data))
    expect(rowsOf(result.structured)[0].expanded.attachments.data).toHaveLength(3)
    for (const part of ['attachments: 3 shown, there are more', 'home/attachments:file-6'])
      expect(result.text).toContain(part)
    if (!query) return
    expect([query.get('expand'), query.get('expand_limit[attachments]')]).toEqual(['attachments', '3'])
    expect(query.has('expand_limit')).toBe(false)
  })

  verifies('003.11.2', 'a fetch accepts the same limits and shows the related records', async () => {
    const { result, query } = await sentBy(await mail(), 'fetch', {
      id: 'home/messages:home-1',
      expand: ['attachments'],
      expand_limit: { attachments: 3 },
    })
    expect(result.structured.text).toContain('attachments: 3 shown, there are more')
    expect(result.structured.text.match(/home\/attachments:file-\d/g)).toHaveLength(3)
    if (!query) return
    expect(query.get('expand_limit[attachments]')).toBe('3')
    expect(query.has('expand_limit')).toBe(false)
  })

  verifies('003.11.3', 'empty or encoded limits are refused by both tools, before any call', async () => {
    const agent = await mail()
    for (const expand_limit of [
      {},
      { 'expand_limit[attachments]': 3 },
      { attachments: 0 },
      { attachments: '3' },
      '3',
      [],
    ])
      for (const [tool, args] of [
        ['query_records', { stream: 'messages' }],
        ['fetch', { id: 'home/messages:home-1' }],
      ] as const) {
        const reads = await readsOf(agent, async () => {
          const error = await agent.refusal(tool, { ...args, expand: ['attachments'], expand_limit })
          expect([error.code, error.param]).toEqual(['invalid_expand', 'expand_limit'])
          expect(error.next_step).toContain('{"messages":3}')
        })
        expect([expand_limit, reads]).toEqual([expand_limit, []])
      }
  })

  verifies('004.5.2', 'expand on a stream without relations is refused before a read', async () => {
    const agent = await mail()
    for (const [tool, args] of [
      ['query_records', { stream: 'attachments', expand: ['messages'] }],
      ['query_records', { stream: 'attachments', expand_limit: { messages: 1 } }],
      ['fetch', { id: 'home/attachments:file-1', expand: ['messages'] }],
    ] as const) {
      const reads = await readsOf(agent, async () => {
        const error = await agent.refusal(tool, args)
        expect(error.code).toBe('invalid_expand')
        expect(error.message).toContain('"attachments"')
        expect(error.next_step).toContain('GET /v1/schema (expand_capabilities)')
      })
      expect(reads).toEqual(['/v1/schema'])
    }
  })

  verifies('004.5.2', "relations of another source's stream with that name do not count", async () => {
    const agent = await world.agent(kind, await world.package('everything', 'mail', 'chat', 'notes'))
    const args = { stream: 'messages', expand: ['attachments'], limit: 1 }
    await agent.use('query_records', { ...args, connection_id: 'home' })
    const reads = await readsOf(agent, async () => {
      const error = await agent.refusal('query_records', { ...args, connection_id: 'team' })
      expect([error.code, error.param]).toEqual(['invalid_expand', 'expand'])
    })
    expect(reads).toEqual(['/v1/schema'])
  })

  verifies('004.5.2', 'if the schema does not have the stream, the server decides', async () => {
    const error = await (await mail()).refusal('query_records', { stream: 'nowhere', expand: ['x'] })
    expect(error.code).toBe('grant_stream_not_allowed')
  })

  verifies(['004.5.3', 'point 23', 'point 37'], 'a changed declaration is used by the next call', async () => {
    const agent = await mail()
    const args = { stream: 'messages', filter: { id: 'home-1' }, connection_id: 'home', expand: ['attachments'] }
    await agent.use('query_records', args)
    await world.owner('POST', '/connectors', mailSource('without relations'))
    // The adapter refuses the call by the current schema. With a cached schema the call would reach the server.
    const reads = await readsOf(agent, async () => {
      expect((await agent.refusal('query_records', args)).code).toBe('invalid_expand')
    })
    expect(reads).toEqual(['/v1/schema'])
    await world.owner('POST', '/connectors', mailSource())
    await agent.use('query_records', args)
  })

  verifies(['003.10.6', '003.12.1'], 'a count with a filter shows metric, stream and number', async () => {
    const { result, query } = await sentBy(await mail(), 'aggregate', {
      stream: 'messages',
      metric: 'count',
      filter: { size: { gte: 100, lt: 200 }, sender: 'writer-11' },
    })
    expect(result.text).toMatch(/^count \(messages\) = 2\./)
    expect(result.structured.data).toMatchObject({ object: 'aggregation', metric: 'count', value: 2 })
    expect(result.text.length).toBeLessThan(200)
    if (query) {
      expect([query.get('filter[size][gte]'), query.get('filter[sender]')]).toEqual(['100', 'writer-11'])
      expect(query.has('filter')).toBe(false)
    }
    const sum = await (await mail()).use('aggregate', {
      stream: 'messages',
      metric: 'sum',
      field: 'size',
      connection_id: 'work',
    })
    expect(sum.text).toContain('sum of size (messages) = 4355')
  })

  verifies('003.10.6', 'an aggregate repeats its filter as the server understood it', async () => {
    const { text, structured } = await (await mail()).use('aggregate', {
      stream: 'messages',
      metric: 'count',
      filter: { sender: 'writer-11', sent_at: { gte: '2026-01-01' } },
    })
    expect(text).toContain(
      'Filter: sender = writer-11, sent_at >= 2026-01-01T00:00:00Z. A date is its midnight in UTC.',
    )
    expect(structured.data.filter).toEqual({ sender: 'writer-11', sent_at: { gte: '2026-01-01T00:00:00Z' } })
    expect(await (await mail()).read('aggregate', { stream: 'messages', metric: 'count' })).not.toContain('Filter')
  })

  verifies('003.12.2', 'groups by time name the chosen granularity and the reason', async () => {
    const agent = await mail()
    const args = { stream: 'messages', metric: 'count', group_by_time: 'sent_at', time_zone: 'Europe/Berlin' }
    const { text, structured } = await agent.use('aggregate', args)
    expect(text).toContain(
      'per day (chosen for 2026-01-01 to 2026-01-02; set granularity for another) in Europe/Berlin',
    )
    expect(structured.data).toMatchObject({ granularity: 'day', granularity_chosen: true, time_zone: 'Europe/Berlin' })
    const error = await agent.refusal('aggregate', { ...args, granularity: 'fortnight' })
    expect(error.message).toContain('minute, hour, day, week, month, quarter, year')
  })

  test('a limit above the maximum is lowered with a warning', async () => {
    const agent = await mail()
    for (const [tool, args] of [
      ['query_records', { stream: 'messages', limit: 500 }],
      ['aggregate', { stream: 'messages', metric: 'count', group_by: ['sender'], limit: 500 }],
      ['read_record_field', { id: 'home/messages:home-2', field_path: 'body', limit_chars: 100_000 }],
    ] as const)
      expect(await agent.read(tool, args)).toContain('warning limit_clamped: ')
  })

  verifies(['003.12.2', '003.13.2'], 'groups have counts, and other_count if the list is cut', async () => {
    const agent = await mail()
    const { text, structured } = await agent.use('aggregate', {
      stream: 'messages',
      metric: 'count',
      group_by: ['sender'],
      limit: 3,
    })
    expect(text.split('\n')[0]).toContain('by sender: 3 of 14 groups')
    expect(text.split('\n')[0]).toContain(
      `other_count=${structured.data.other_count}: records in groups not shown; raise limit or narrow.`,
    )
    expect(structured.data.other_count).toBe(47)
    expect(structured.data.groups).toHaveLength(3)
    for (const { key, count } of structured.data.groups) expect(text).toContain(`${key}: ${count}`)
    const whole = await agent.use('aggregate', { stream: 'messages', metric: 'count', group_by: ['sender'], limit: 50 })
    expect(whole.structured.data.groups).toHaveLength(14)
    expect(whole.text).toContain('14 of 14 groups. other_count=0: all.')
    const byTime = await agent.read('aggregate', {
      stream: 'messages',
      metric: 'count',
      group_by_time: 'sent_at',
      granularity: 'day',
    })
    expect(byTime).toMatch(/2026-01-01\S*: 48/)
  })
})
