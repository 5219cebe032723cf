import { expect, test } from 'vitest'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import { hitLines, sharedLabels } from './hit-text.ts'
import { readHit, type SearchHit } from './search-hit.ts'
import { SourceMix } from './source-mix.ts'

const server = {
  providerUrl: 'https://data.example',
  origin: undefined,
  pages: true,
  highlighted: false,
  madeTitles: false,
}
const hit = (connection: string, name: string | undefined, connector_key: string, more: object = {}) =>
  readHit(
    {
      id: `${connection}/notes:n1`,
      stream: 'notes',
      connection_id: connection,
      connector_key,
      display_name: name,
      title: 'Harvest',
      ...more,
    },
    server,
  )

const lines = (one: SearchHit, isMixed: boolean) =>
  hitLines(one, 1, { isMixed, shared: sharedLabels([one]), shownBy: new Map() })

verifies('000.6.1', 'sources are counted by connection, with the connector key', () => {
  const hits = [hit('a', 'Notebook', 'anotes'), hit('b', 'Work', 'mail'), hit('b', 'Work', 'mail')]
  expect(new SourceMix(hits).line).toBe('Sources: Work (mail) 2, Notebook (anotes) 1.')
})

verifies('000.6.1', 'two connections with one name show their ids', () => {
  const hits = [hit('sy1', 'Gmail', 'gmail'), hit('sy2', 'Gmail', 'gmail'), hit('x', 'Home', 'mail')]
  expect(new SourceMix(hits).isMixed).toBe(true)
  expect(new SourceMix(hits).line).toBe('Sources: Gmail (gmail, sy1) 1, Gmail (gmail, sy2) 1, Home (mail) 1.')
})

verifies('003.14.1', 'one source is named once, not on every line', () => {
  const hits = [hit('a', 'Notebook', 'anotes'), hit('a', 'Notebook', 'anotes')]
  const mix = new SourceMix(hits)
  expect([mix.line, mix.isMixed]).toEqual(['Source: Notebook (anotes).', false])
  expect(lines(hits[0]!, mix.isMixed)[0]).toBe('1. a/notes:n1 · "Harvest"')
  expect(lines(hits[0]!, true)[0]).toBe('1. a/notes:n1 · Notebook · "Harvest"')
  expect(new SourceMix([hit('a', undefined, 'anotes')]).line).toBe('Source: a (anotes).')
})

test('names at most eight sources and counts the rest', () => {
  const hits = Array.from({ length: 11 }, (_, n) => hit(`c${n}`, `Source ${n}`, 'mail'))
  const { line } = new SourceMix([...hits, hit('c10', 'Source 10', 'mail')])
  expect(line).toMatch(/^Sources: Source 10 \(mail\) 2, Source 0 \(mail\) 1, /)
  expect(line).toMatch(/Source 6 \(mail\) 1, 3 more sources 3\.$/)
})

test('leaves out a title composed of source and stream', () => {
  const untitled = hit('a', 'Notebook', 'anotes', { title: 'Notebook / notes' })
  expect(lines(untitled, true)[0]).toBe('1. a/notes:n1 · Notebook')
  const titled = hit('a', 'Notebook', 'anotes', { title: 'Notebook / harvest' })
  expect(lines(titled, true)[0]).toBe('1. a/notes:n1 · Notebook · "Notebook / harvest"')
})

test('repeats nothing in one line and shows the amount', () => {
  const order = hit('p', 'Purchases', 'shop', {
    title: 'Hofkiste',
    actor: 'Hofkiste',
    place: 'Hofkiste',
    authored_at: '2026-03-26T20:20:00Z',
    amount: { field: 'total_cents', value: 2559, currency: 'EUR' },
  })
  expect(lines(order, true)[0]).toBe(
    '1. p/notes:n1 · Thu 2026-03-26 20:20Z · Hofkiste · total_cents 2559 EUR · Purchases',
  )
})

test('does not repeat an excerpt in the first line', () => {
  const excerpts = [
    { field_path: 'title', preview_text: 'Run with Tomas', offset_chars: 0 },
    { field_path: 'organizer', preview_text: 'Tomas', offset_chars: 0 },
  ]
  const event = hit('c', 'Calendar', 'cal', { title: 'Run with Tomas', actor: 'Tomas', evidence_excerpts: excerpts })
  expect(lines(event, false)).toEqual(['1. c/notes:n1 · Tomas', '   title: Run with Tomas'])
  const other = hit('c', 'Calendar', 'cal', { title: 'A run', actor: 'Tomas', evidence_excerpts: excerpts.slice(1) })
  expect(lines(other, false)).toEqual(['1. c/notes:n1 · "A run"', '   organizer: Tomas'])
})

verifies('000.6.1', 'a hit of another server is dated by when it was written', () => {
  const foreign = readHit(
    {
      stream: 'entries',
      record_key: 'e1',
      connection_id: 'cin_1',
      emitted_at: '2026-09-09T09:09:00Z',
      occurred_at: '2020-02-02T10:00:00Z',
      evidence_excerpts: [{ field_path: 'body', preview_text: 'the <mark>heron</mark> came' }],
    },
    { ...server, highlighted: true },
  )
  expect(foreign.title).toBe('entries / 2020-02-02T10:00:00Z')
  expect(lines(foreign, false)).toEqual(['1. cin_1/entries:e1 · Sun 2020-02-02 10:00Z', '   body: the heron came'])
})
