import { expect, it } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { at, mailServer, message, messages } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { note, packageServer } from '../grants/package-support.ts'
import { conversation } from '../search/conversation.fixture.ts'

const count = (text: string, part: string) => text.split(part).length - 1

it('searches with facets and shows the words that prove each hit', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', [message(1, { body: 'A walnut tree <mark>stands</mark> here' }), message(2)])
  await test.ingest('messages', 'work', [message(3, { body: 'walnut table', sent_at: '2025-05-05T12:00:00Z' })])
  const visitor = await new Browser(test.server).signIn()
  const { text } = await visitor.get('/browse?q=walnut')
  expect(count(text, 'class="row-title whole"')).toBe(2)
  expect(text).toContain('A <mark>walnut</mark> tree ‹mark>stands'.replaceAll('>s', '&gt;s'))
  expect(text).toContain('href="/r/home%2Fmessages%3Am1"')
  const hits = async (query: string) =>
    count((await visitor.get(`/browse?q=walnut&${query}`)).text, 'class="row-title whole"')
  expect(await hits('connection=work&stream=&since=&until=')).toBe(1)
  expect(await hits('since=2026-01-01')).toBe(1)
  expect(await hits('until=2025-05-05')).toBe(1)
  expect(await hits('until=2025-05-04')).toBe(0)
  // The days are the wrong way round.
  expect(await hits('since=2025-05-06&until=2025-05-05')).toBe(1)
  expect((await visitor.get('/browse?q=walnut&connection=nowhere')).status).toBe(404)
})

verifies('001.5.1', 'shows previews of hits by author and by context, and marks files', async () => {
  const test = await conversation([
    { id: 'q', text: 'When does the <mark>ferry</mark> leave?' },
    { id: 'a', text: 'Half past seven.', author: 'Wanda', attachment_count: 2 },
    ...['b', 'c', 'd', 'e'].map((id) => ({ id })),
  ])
  const visitor = await new Browser(test.server).signIn()
  const byAuthor = (await visitor.get('/browse?q=wanda')).text
  expect(byAuthor).toMatch(/Begins:<\/span> <span[^>]*>Half past seven\.</)
  expect(byAuthor).toContain('2 files')
  const byContext = (await visitor.get('/browse?q=ferry+leave')).text
  expect(byContext).toContain('1 item, best first')
  expect(byContext).toMatch(/href="\/r\/chat%2Fmessages%3Aq">Beside it</)
})

it('browses a stream newest first, with its months as a plot', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(50))
  await test.ingest('messages', 'home', [message(900, { sent_at: '2025-11-03T10:00:00Z' })])
  const visitor = await new Browser(test.server).signIn()
  expect((await visitor.get('/browse')).text).toContain('connection=home&amp;stream=messages')
  const { text } = await visitor.get('/browse?connection=home&stream=messages')
  expect(text).toContain('51 items')
  expect(text).toContain('Subject 49')
  expect(count(text, '<th scope="row">')).toBe(3)
  expect(text).toMatch(/<a href="[^"]*since=2025-11-01&amp;until=2025-11-30">Nov 2025<\/a><\/th><td class="number">1</)
  expect(text).toMatch(/Dec 2025<\/th><td class="number">0</)
  const next = /href="([^"]+)" rel="next"/.exec(text)![1]!.replaceAll('&amp;', '&')
  expect((await visitor.get(next)).text).toContain('Subject 29')
  const month = await visitor.get('/browse?connection=home&stream=messages&since=2025-11-01&until=2025-11-03')
  expect(count(month.text, 'class="row-title whole"')).toBe(1)
  // A position that no longer exists leads to the first page.
  expect((await visitor.get('/browse?connection=home&stream=messages&cursor=nonsense')).status).toBe(200)
})

it('plots the months despite an impossible time, and says so', async () => {
  const test = await mailServer()
  const times = ['2999-12-31T23:59:59Z', '2026-02-01T00:00:00Z', '2026-01-31T23:59:59Z', '1801-01-01T00:00:00Z']
  await test.ingest(
    'messages',
    'home',
    times.map((sent_at, n) => message(n, { sent_at })),
  )
  const visitor = await new Browser(test.server).signIn()
  const { text } = await visitor.get('/browse?connection=home&stream=messages')
  expect(text).toMatch(/Feb 2026<\/a><\/th><td class="number">1</)
  expect(text).toMatch(/Jan 2026<\/a><\/th><td class="number">1</)
  expect(text.split('</figure>')[0]).not.toContain('Dec 2999')
  expect(text).toContain('2 items are not in the chart')
  expect((await visitor.get('/')).text).toContain('Items by month')
})

it('names a record with a blank title by its other fields', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', [message(1, { subject: ' \t ', sent_at: '2026-01-31T12:00:00Z' })])
  const visitor = await new Browser(test.server).signIn()
  const link = /class="row-title whole" href="[^"]+"><span class="theirs" dir="auto">([^<]*)</
  for (const query of ['connection=home&stream=messages', 'q=body']) {
    const title = link.exec((await visitor.get(`/browse?${query}`)).text)?.[1]
    expect([query, title]).toEqual([query, expect.stringContaining('2026-01-31')])
  }
})

it('says what the days of the form leave, and where they do not apply', async () => {
  const test = await packageServer()
  await test.ingest('notes', 'diary', [note('a', { written_at: '2026-02-01T23:59:59Z' }), note('b')])
  await test.ingest('marks', 'diary', [{ key: 'x', data: { id: 'x', note_id: 'a', colour: 'red' } }])
  const visitor = await new Browser(test.server).signIn()
  const see = async (query: string) => (await visitor.get(`/browse?connection=diary&${query}`)).text
  const day = await see('stream=notes&since=2026-02-01&until=2026-02-01')
  expect(count(day, 'class="row-title whole"')).toBe(1)
  expect(day).toContain('2 items in all')
  expect(day).toContain('<a href="/browse?connection=diary&amp;stream=notes">All days</a>')
  expect(await see('stream=notes&until=1990-01-01')).toContain('No items on these days.')
  const timeless = await see('stream=marks&since=2026-02-01')
  expect(timeless).toContain('so the dates do not apply')
  expect(timeless).not.toContain('No items')
  expect(await see('since=2026-02-01')).toContain('Dates apply to a search')
  expect(await see('stream=notes')).not.toContain('in all')
})

it('shows what belongs to a record, what stands around it, and who saw it', async () => {
  const test = await packageServer()
  await test.ingest('notes', 'diary', [note('a'), note('b', { written_at: at(900) })])
  await test.ingest('marks', 'diary', [
    { key: 'x', data: { id: 'x', note_id: 'a', colour: 'red' }, emitted_at: '2026-02-01T00:00:00Z' },
  ])
  const visitor = await new Browser(test.server).signIn()
  const { text } = await visitor.get('/r/diary%2Fnotes%3Aa')
  expect(text).toContain('href="/r/diary%2Fmarks%3Ax"')
  expect(text).toContain('href="/r/diary%2Fnotes%3Ab"')
  expect(text).toContain('href="/activity?record=diary%2Fnotes%3Aa"')
  expect(text).toContain('fetch {&quot;id&quot;:&quot;diary/notes:a&quot;}')
  expect((await visitor.get('/r/diary%2Fmarks%3Ax')).text).toContain('href="/r/diary%2Fnotes%3Aa"')
})
