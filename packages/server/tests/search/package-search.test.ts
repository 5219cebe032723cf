import { expect, it, vi } from 'vitest'
import { message } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { note, type PackageServer, packageServer } from '../grants/package-support.ts'

const find = (query: string, rest = '') => `/v1/search?q=${encodeURIComponent(query)}${rest}`
const ids = (answer: { body: any }): string[] => answer.body.data.map((hit: any) => hit.id)

/** Storms in both mail accounts and both notebooks; in `work` the word is everywhere. */
async function storms(): Promise<PackageServer> {
  const test = await packageServer()
  await test.ingest('messages', 'home', [
    message(1, { subject: 'Lighthouse trip', body: 'We walked to the lighthouse before the storm.' }),
    message(2, { subject: 'Invoice', body: 'The storm broke a window.' }),
  ])
  const plans = Array.from({ length: 8 }, (_, n) =>
    message(10 + n, { subject: `Storm plan ${n}`, body: 'Storm drill.' }),
  )
  await test.ingest('messages', 'work', plans)
  await test.ingest('notes', 'diary', [
    note('n1', { title: 'A storm at night', text: 'The lighthouse keeper saw the storm.' }),
    note('n2', { title: 'Bread', mood: 'windless' }),
  ])
  await test.ingest('notes', 'recipes', [note('n3', { title: 'Soup for a storm' })])
  return test
}

const everything = async (test: PackageServer) => {
  const grants = await Promise.all(['home', 'work', 'diary', 'recipes'].map((id) => test.grant({ connections: [id] })))
  const pack = await test.pack(grants.map(({ grantId }) => grantId))
  return {
    pack,
    grantOf: Object.fromEntries(['home', 'work', 'diary', 'recipes'].map((id, n) => [id, grants[n]!.grantId])),
  }
}

verifies(['003.16.1', '000.6.1'], 'merges all members into one ranking with their sources', async () => {
  const test = await storms()
  const { pack, grantOf } = await everything(test)
  const { body } = await pack.get(find('lighthouse storm', '&limit=50&count=exact'))
  expect(
    body.data
      .slice(0, 2)
      .map((hit: any) => hit.connection_id)
      .toSorted(),
  ).toEqual(['diary', 'home'])
  expect(body.data).toHaveLength(12)
  expect(body.meta.count).toEqual({ kind: 'exact', value: 12 })
  for (const hit of body.data) {
    expect(hit.grant_id).toBe(grantOf[hit.connection_id])
    expect([hit.connector_key, hit.stream, hit.record_key].every((text) => text.length > 0)).toBe(true)
    expect(hit.evidence_excerpts.map((excerpt: any) => excerpt.text)).not.toContain(hit.title)
  }
  expect(body.data.find((hit: any) => hit.connection_id === 'home').display_name).toBe('Home mail')
  expect(body.meta.package).toMatchObject({
    package_id: pack.packageId,
    member_count: 4,
    members_read: 4,
    partial: false,
  })
  expect(body.meta.package.source_mix.map((source: any) => [source.connection_id, source.hits])).toEqual([
    ['work', 8],
    ['home', 2],
    ['diary', 1],
    ['recipes', 1],
  ])
  expect(body.meta.package.source_mix[0]).toMatchObject({ connector_key: 'mail' })
  const fromWork = body.data.find((hit: any) => hit.connection_id === 'work')
  expect(fromWork).toMatchObject({ connector_key: 'mail', grant_id: grantOf['work'] })
})

verifies('000.6.1', 'counts the limit over all members, and one cursor resumes them all', async () => {
  const test = await storms()
  const { pack } = await everything(test)
  const whole = ids(await pack.get(find('storm', '&limit=50')))
  const walked: string[] = []
  let cursor = ''
  for (let page = 0; page < 20; page++) {
    const answer = await pack.get(find('storm', `&limit=3${cursor}`))
    expect(answer.body.data.length).toBeLessThanOrEqual(3)
    const mix = answer.body.meta.package.source_mix
    expect(mix.reduce((sum: number, source: any) => sum + source.hits, 0)).toBe(answer.body.data.length)
    walked.push(...ids(answer))
    if (!answer.body.has_more) break
    cursor = `&cursor=${encodeURIComponent(answer.body.next_cursor)}`
  }
  expect(walked).toEqual(whole)
  expect(new Set(walked).size).toBe(12)
})

it('ranks as one grant would, whatever the order of members', async () => {
  const test = await storms()
  const one = await test.grant({ connections: ['home', 'work'] })
  const grant = () => Promise.all(['home', 'work'].map((id) => test.grant({ connections: [id] })))
  const [first, second] = [await grant(), await grant()]
  const forth = await test.pack(first.map(({ grantId }) => grantId))
  const back = await test.pack(second.map(({ grantId }) => grantId).toReversed())
  for (const query of [
    'storm',
    'lighthouse storm',
    'plan 3',
    '"storm drill"',
    'storm -window',
    'subject:storm window',
  ]) {
    const expected = ids(await one.get(find(query, '&limit=50')))
    expect(expected.length).toBeGreaterThan(0)
    expect([query, ids(await forth.get(find(query, '&limit=50')))]).toEqual([query, expected])
    expect([query, ids(await back.get(find(query, '&limit=50')))]).toEqual([query, expected])
  }
})

verifies('003.16.2', 'asks each member only for the streams that it has', async () => {
  const test = await storms()
  const { pack } = await everything(test)
  const both = await pack.get(find('storm', '&streams=messages,notes&limit=50'))
  expect([both.status, both.body.data.length]).toEqual([200, 12])
  // A member of the same source that has only other streams is not read.
  const members = await Promise.all([
    test.grant({ connections: ['home'] }),
    test.grant({ connections: ['diary'] }),
    test.grant({ connections: ['work'], streams: [{ name: 'labels' }] }),
  ])
  const some = await test.pack(members.map(({ grantId }) => grantId))
  const part = await some.get(find('storm', '&streams=messages,notes&limit=50'))
  expect([part.status, part.body.data.map(({ connection_id: id }: any) => id).toSorted()]).toEqual([
    200,
    ['diary', 'home', 'home'],
  ])
  const nowhere = await pack.get(find('storm', '&streams=messages,photos'))
  expect([nowhere.status, nowhere.body.error.code]).toEqual([403, 'grant_stream_not_allowed'])
  expect(nowhere.body.error.message).toContain('messages, labels, notes, marks')
})

verifies('003.16.3', 'does not read a member that has none of the streams', async () => {
  const test = await storms()
  const { pack, grantOf } = await everything(test)
  const search = vi.spyOn(test.server.context.storage.search, 'search')
  const { body } = await pack.get(find('storm', '&streams=notes'))
  const searched = search.mock.calls.flatMap(([targets]) =>
    targets.map(({ scope }) => [scope.accessId, scope.stream.name]),
  )
  expect(searched).toEqual([
    [grantOf['diary'], 'notes'],
    [grantOf['recipes'], 'notes'],
  ])
  expect(ids({ body }).toSorted()).toEqual(['diary/notes:n1', 'recipes/notes:n3'])
  expect(body.meta.package.members_read).toBe(2)
  const read = (await test.receipts()).map(({ grant_id: id, operation }) => [id, operation])
  expect(read.toSorted()).toEqual(
    [
      [grantOf['diary'], 'search'],
      [grantOf['recipes'], 'search'],
    ].toSorted(),
  )
})

verifies(['000.6.2', '003.16.4'], 'reads one member when a connection is named, and nobody else', async () => {
  const test = await storms()
  const { pack, grantOf } = await everything(test)
  const { body } = await pack.get(find('storm', '&connection_id=work&limit=3'))
  expect([body.data.length, body.has_more]).toEqual([3, true])
  expect(new Set(body.data.map((hit: any) => hit.connection_id))).toEqual(new Set(['work']))
  expect((await test.receipts()).map(({ grant_id: id }) => id)).toEqual([grantOf['work']])
  const outside = await pack.get(find('storm', '&connection_id=work&streams=notes'))
  expect(outside.body.error.code).toBe('grant_stream_not_allowed')
  expect((await pack.get(find('storm', '&connection_id=nowhere'))).body.error.code).toBe('connection_not_found')
})

it('leaves a receipt for each member that was read', async () => {
  const test = await storms()
  const { pack, grantOf } = await everything(test)
  const answer = await pack.get(find('plan', '&limit=1'))
  const receipts = await test.receipts()
  expect(receipts.map(({ grant_id: id }) => id).toSorted()).toEqual(Object.values(grantOf).toSorted())
  expect(receipts.map(({ record_count: count }) => count).toSorted()).toEqual([0, 0, 0, 1])
  expect(receipts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(Buffer.byteLength(answer.text))
})

verifies('003.3.1', 'names a failed member only where it would have been searched', async () => {
  const test = await storms()
  const { pack, grantOf } = await everything(test)
  const cursor = (await pack.get(find('storm', '&limit=2'))).body.next_cursor
  await test.owner('POST', `/v1/owner/grants/${grantOf['work']}/revoke`)
  const warned = await pack.get(find('storm'))
  expect(warned.body.meta.warnings).toEqual([
    expect.objectContaining({
      code: 'source_unavailable',
      detail: { grant_id: grantOf['work'], connector_key: 'mail', reason: 'grant_revoked' },
    }),
  ])
  expect(ids(warned).filter((id) => id.startsWith('work/'))).toEqual([])
  expect((await pack.get(find('storm', '&streams=notes'))).body.meta.warnings).toEqual([])
  expect((await pack.get(find('storm', `&limit=2&cursor=${cursor}`))).body.error.code).toBe('cursor_expired')
  await test.owner('POST', `/v1/owner/grants/${grantOf['diary']}/pause`)
  await test.owner('POST', `/v1/owner/grants/${grantOf['recipes']}/revoke`)
  const gone = await pack.get(find('storm', '&streams=notes'))
  expect([gone.status, gone.body.error.code]).toEqual([403, 'grant_paused'])
})

it('binds a search cursor to the package', async () => {
  const test = await storms()
  const one = await test.grant({ connections: ['work'] })
  const other = await test.grant({ connections: ['work'] })
  const pack = await test.pack([one.grantId])
  const cursor = encodeURIComponent((await pack.get(find('storm', '&limit=2'))).body.next_cursor)
  expect((await pack.get(find('storm', `&limit=2&cursor=${cursor}`))).status).toBe(200)
  for (const { get } of [one, other, await test.pack([other.grantId])])
    expect((await get(find('storm', `&limit=2&cursor=${cursor}`))).body.error.code).toBe('invalid_cursor')
})

it('keeps a page within max_bytes with many members out of use', async () => {
  const test = await storms()
  const { pack, grantOf } = await everything(test)
  for (const id of ['home', 'diary', 'recipes']) await test.owner('POST', `/v1/owner/grants/${grantOf[id]}/pause`)
  for (const maxBytes of [3000, 4000, 8000]) {
    const { text, body } = await pack.get(find('storm', `&max_bytes=${maxBytes}`))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes)
    expect(body.data.length).toBeGreaterThan(0)
  }
})

it('searches the others if one member is not granted the time', async () => {
  const test = await storms()
  const mail = await test.grant({
    connections: ['home'],
    streams: [{ name: 'messages' }],
    until: '2026-01-02T00:00:00Z',
  })
  const notes = await test.grant({ connections: ['diary'] })
  const pack = await test.pack([mail.grantId, notes.grantId])
  const { body } = await pack.get(find('storm', '&since=2026-01-04'))
  expect(ids({ body })).toEqual(['diary/notes:n1'])
  const left = body.meta.warnings.map((warning: any) => [warning.code, warning.detail.stream])
  expect(left).toEqual([['source_skipped_not_applicable', 'messages']])
  expect(body.meta.package.members_read).toBe(1)
  const narrowed = await pack.get(find('storm', '&since=2025-12-01'))
  expect(narrowed.body.meta.warnings.map((warning: any) => warning.code)).toEqual(['time_range_narrowed'])
  const refused = await pack.get(find('storm', '&since=2026-01-04&streams=messages'))
  expect([refused.status, refused.body.error.code]).toEqual([403, 'grant_time_range_exceeded'])
})

it('says that a connection lacks the stream, not that it is missing', async () => {
  const test = await storms()
  const where = '&streams=messages&connection_id=diary'
  const answer = await test.owner('GET', find('storm', where))
  expect([answer.status, answer.body.error.param]).toEqual([404, 'streams'])
  expect(answer.body.error.message).toContain('It has: notes, marks.')
  const nowhere = await test.owner('GET', find('storm', '&streams=messages&connection_id=nowhere'))
  expect(nowhere.body.error.code).toBe('connection_not_found')
})
