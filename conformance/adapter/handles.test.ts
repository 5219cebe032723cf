// Every id, URL and cursor in a result can be used as it is shown.
import { expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { onEveryTransport } from './fixtures/agent.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const idsIn = (text: string) => [...text.matchAll(/^(\w+\/\w+:\S+) \|/gm)].map(([, id]) => id!)
const valueIn = (name: string, text: string) => new RegExp(`\\b${name}=(\\S+)`).exec(text)?.[1]
const reads = (routes: readonly string[]) => routes.filter((route) => route.startsWith('/v1'))

onEveryTransport((kind) => {
  const mail = async () => world.agent(kind, await world.grant('mail'))
  const notes = async () => world.agent(kind, await world.grant('notes'))
  const chat = async () => world.agent(kind, await world.grant('chat'))
  const everything = async () => world.agent(kind, await world.package('all three', 'mail 3', 'chat 3', 'notes 3'))

  verifies('000.7.1', 'fetch and read_record_field take the url of a result', async () => {
    const agent = await notes()
    const { structured } = await agent.use('search', { query: 'marker', limit: 10 })
    const found = [...structured.results, ...(await agent.use('search', { query: 'falcon' })).structured.results]
    expect(found.length).toBeGreaterThan(0)
    for (const { id, url } of found) {
      expect((await agent.use('fetch', { id: url })).structured).toMatchObject({ id, url })
      const field = await agent.use('read_record_field', { id: url, field_path: 'text' })
      expect(field.structured.record.id).toBe(id)
    }
    const awkward = await agent.use('fetch', { id: 'notebook/notes:https:%2F%2Fpages.example%2Fa%2Fb?c=1&d=2#e' })
    expect((await agent.use('fetch', { id: awkward.structured.url })).structured.id).toBe(awkward.structured.id)
  })

  verifies('003.19.5', 'URLs that are no record of this server are refused unread', async () => {
    const agent = await mail()
    const own = world.server.url
    for (const id of [
      'https://elsewhere.example/r/home%2Fmessages%3Along',
      `${own}.evil.example/r/home%2Fmessages%3Along`,
      `${own.replace('http://', 'http://user@')}/r/home%2Fmessages%3Along`,
      `${own}/r/home%2Fmessages%3Along?x=1`,
      `${own}/r/home/messages:long`,
      `${own}/owner`,
      `${own}/r/%E0%A4%A`,
    ])
      for (const [tool, args] of [
        ['fetch', { id }],
        ['read_record_field', { id, field_path: 'body' }],
        ['query_records', { stream: 'messages', around: id }],
      ] as const) {
        const routes = await world.routes(async () => {
          expect((await agent.refusal(tool, args)).code).toBe('invalid_argument')
        })
        expect([tool, id, reads(routes)]).toEqual([tool, id, []])
      }
    const conflict = { id: `${own}/r/home%2Fmessages%3Along`, connection_id: 'work' }
    expect((await agent.refusal('fetch', conflict)).code).toBe('conflicting_connection_id')
  })

  test('around accepts the id, the url and the key of a record', async () => {
    const agent = await chat()
    const url = `${world.server.url}/r/${encodeURIComponent('team/messages:c3')}`
    for (const around of ['team/messages:c3', url, 'c3', 'messages:c3']) {
      const text = await agent.read('query_records', { stream: 'messages', around, limit: 3 })
      expect(idsIn(text)).toEqual(['team/messages:c2', 'team/messages:c3', 'team/messages:c4'])
    }
  })

  verifies('003.19.4', 'around and connection_id that disagree are refused before any call', async () => {
    const agent = await everything()
    const routes = await world.routes(async () => {
      const args = { stream: 'messages', around: 'team/messages:c3', connection_id: 'home' }
      expect((await agent.refusal('query_records', args)).code).toBe('conflicting_connection_id')
    })
    expect(reads(routes)).toEqual([])
  })

  verifies('000.5.7', 'the cursors of a page around a record work as its text says', async () => {
    for (const agent of [await chat(), await everything()]) {
      const text = await agent.read('query_records', { stream: 'messages', around: 'team/messages:c3', limit: 2 })
      const argsText = /^A cursor goes with (\{.*\}) and without around\.$/m.exec(text)?.[1]
      const args = JSON.parse(argsText!)
      expect(args).toEqual({ stream: 'messages', connection_id: 'team' })
      const [next, previous] = [valueIn('next_cursor', text), valueIn('previous_cursor', text)]
      const onward = await agent.read('query_records', { ...args, cursor: next, limit: 2 })
      expect(idsIn(onward)).toEqual(['team/messages:c5'])
      const back = await agent.read('query_records', { ...args, cursor: previous, limit: 2 })
      expect(idsIn(back)).toEqual(['team/messages:c1', 'team/messages:c2'])
    }
    // With one source, the cursor needs no connection_id.
    const agent = await chat()
    const text = await agent.read('query_records', { stream: 'messages', around: 'team/messages:c3', limit: 2 })
    const alone = { stream: 'messages', cursor: valueIn('next_cursor', text), limit: 2 }
    expect(idsIn(await agent.read('query_records', alone))).toEqual(['team/messages:c5'])
  })

  verifies('000.5.7', 'a page around a record names what else its cursors need', async () => {
    const agent = await chat()
    const fields = ['said']
    const args = { stream: 'messages', around: 'team/messages:c3', limit: 2, fields }
    const text = await agent.read('query_records', args)
    const [, named] = /^A cursor goes with (\{.*\}), the same fields, and without around\.$/m.exec(text)!
    const onward = { ...JSON.parse(named!), fields, cursor: valueIn('next_cursor', text) }
    expect(idsIn(await agent.read('query_records', onward))).toEqual(['team/messages:c5'])
  })

  verifies('000.5.7', 'the last of several pages does not say that it is everything', async () => {
    const agent = await chat()
    const all = await agent.read('query_records', { stream: 'messages' })
    expect(all).toMatch(/^messages: 8 records, all there are\./)
    const first = await agent.read('query_records', { stream: 'messages', limit: 5 })
    const cursor = valueIn('next_cursor', first)
    const last = await agent.read('query_records', { stream: 'messages', limit: 5, cursor })
    expect(last).toMatch(/^messages: 3 records, the last page\./)
    const around = await agent.read('query_records', { stream: 'messages', around: 'team/messages:c3' })
    expect(around).toMatch(/^messages: 6 records, none before or after\./)
  })

  verifies('000.5.7', 'changes_since "now" returns a bookmark, a date is an error', async () => {
    const agent = await notes()
    const { text, structured } = await agent.use('query_records', { stream: 'notes', changes_since: 'now' })
    expect(structured.data.data).toEqual([])
    const bookmark = valueIn('next_changes_since', text)!
    const id = `new-${kind.replace(/\W/g, '-')}`
    await world.ingest('notes', 'notebook', [
      { id, title: 'New', created_at: '2026-05-01T00:00:00Z' } as { id: string },
    ])
    const changed = await agent.read('query_records', { stream: 'notes', changes_since: bookmark })
    expect(idsIn(changed)).toEqual([`notebook/notes:${id}`])
    const error = await agent.refusal('query_records', { stream: 'notes', changes_since: '2026-10-25' })
    expect([error.code, error.param]).toEqual(['invalid_cursor', 'changes_since'])
    expect(error.next_step).toMatch(/now.*beginning.*filter by a time field/)
  })

  verifies.each('003.2.2', [
    { sort: 'size desc' },
    { sort: 'size DESC' },
    { sort: 'size', order: 'desc' },
    { sort: '-size' },
  ])('%j sorts the largest first', async (sorted) => {
    const agent = await mail()
    const { structured } = await agent.use('query_records', {
      stream: 'messages',
      connection_id: 'work',
      fields: ['size'],
      limit: 2,
      ...sorted,
    })
    expect(structured.data.data.map(({ data }: any) => data.size)).toEqual([290, 280])
  })

  test('a page has one note about third-party text, and times have zones', async () => {
    const agent = await chat()
    const text = await agent.read('query_records', { stream: 'messages', limit: 2, sort: 'sent_at' })
    expect(text.split('\n').filter((line) => /third-party/i.test(line))).toEqual(['Third-party text.'])
    expect(text).toContain('| 2026-01-01 00:00Z |')
    expect(text).not.toMatch(/T00:00/)
    const filter = { sent_at: { lte: '2026-01-01 01:00Z' } }
    const copied = await agent.use('query_records', { stream: 'messages', filter })
    expect(copied.structured.data.data).toHaveLength(2)
  })
})
