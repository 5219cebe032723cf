import { expect, test } from 'vitest'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import { readHit } from './search-hit.ts'
import { searchText } from './search-text.ts'

const page = {
  providerUrl: 'https://data.example',
  origin: undefined,
  pages: true,
  highlighted: false,
  madeTitles: false,
}

/** A message of a chat as a server sends it. */
const message = (key: string, more: object = {}) => ({
  id: `chat/messages:${key}`,
  stream: 'messages',
  record_key: key,
  connection_id: 'chat',
  connector_key: 'chat',
  display_name: 'Family chat',
  title: `Ines / family / 2026-03-0${key.slice(1)} 09:00Z`,
  authored_at: `2026-03-0${key.slice(1)}T09:00:00Z`,
  actor: 'Ines',
  place: 'family',
  match: 'some_words',
  evidence_excerpts: [{ field_path: 'text', preview_text: `ferry ${key}`, offset_chars: 0 }],
  ...more,
})
const author = (key: string, begins: object, more: object = {}) =>
  message(key, { evidence_excerpts: [], begins: { field_path: 'text', ...begins }, ...more })

function textOf(rows: readonly object[], meta: object = {}, limit = 10): string[] {
  const body = { has_more: false, meta, data: rows }
  const hits = rows.map((row) => readHit(row as Record<string, unknown>, page))
  return searchText({ query: 'ferry', limit }, body, hits).split('\n')
}

verifies('point 41', 'a hit by author alone shows how its text begins', () => {
  const whole = author('m2', { preview_text: 'Half past seven.' })
  const cut = author('m3', { preview_text: 'From the old…', truncated: true, end_chars: 12, total_chars: 1500 })
  expect(textOf([whole, cut]).slice(5)).toEqual([
    '1. chat/messages:m2 · Mon 2026-03-02 09:00Z',
    '   begins: Half past seven.',
    '2. chat/messages:m3 · Tue 2026-03-03 09:00Z',
    '   begins: From the old… [0-12 of 1,500 chars; read_record_field field_path="text" offset_chars=12]',
  ])
})

verifies('point 41', 'a hit by context shows its neighbour, or names the hit that it is', () => {
  const beside = (context: object) => author('m3', { preview_text: 'Half past seven.' }, { match: 'context', context })
  const neighbour = { id: 'chat/messages:m1', actor: 'Tomas', authored_at: '2026-03-01T09:00:00Z', field_path: 'text' }
  const shown = textOf([beside({ ...neighbour, preview_text: 'When does the ferry leave?' })])
  expect(shown.slice(-2)).toEqual([
    '   begins: Half past seven.',
    '   context: chat/messages:m1 · 2026-03-01 09:00Z · Tomas · "When does the ferry leave?"',
  ])
  expect(textOf([message('m1'), beside({ id: 'chat/messages:m1' })]).at(-1)).toBe('   context: hit 1')
  const other = { ...beside({ id: 'chat/messages:m1' }), id: 'chat/messages:m4' }
  expect(textOf([beside({ ...neighbour, preview_text: 'When?' }), other]).at(-1)).toBe('   context: see 1')
  expect(textOf([other]).at(-1)).toBe('   context: chat/messages:m1')
})

verifies('point 32', 'hits by context are not in the total', () => {
  const rows = [message('m1'), author('m2', { preview_text: 'Seven.' }, { match: 'context' })]
  const [head] = textOf(rows, { count: { kind: 'exact', value: 1 } })
  expect(head).toBe('search "ferry": 1 shown of 1 match and 1 by context, best first.')
  expect(textOf(rows)[0]).toBe('search "ferry": 1 hit and 1 by context, best first.')
  const none = textOf(rows.slice(1), { count: { kind: 'exact', value: 0 } })
  expect(none[0]).toBe('search "ferry": no match, 1 by context, best first.')
})

test('says who and where once if all hits share them', () => {
  const shared = (...rows: object[]) => textOf(rows).filter((line) => line.startsWith('All shown:'))
  expect(shared(message('m1'), message('m2'))).toEqual(['All shown: Ines · family'])
  expect(shared(message('m1'), message('m2', { place: 'work' }))).toEqual(['All shown: Ines'])
  expect(shared(message('m1'), message('m2', { place: 'work', actor: 'Tomas' }))).toEqual([])
  expect(shared(message('m1'))).toEqual([])
})

test('marks pictures and other files', () => {
  const marked = (attachments: object) => textOf([message('m1', { attachments })]).at(-2)
  expect(marked({ kind: 'image', count: 1 })).toContain(' · [image]')
  expect(marked({ kind: 'file', count: 3 })).toContain(' · [3 files]')
  expect(marked({ kind: 'file' })).toContain(' · [files]')
})

test('says why fewer hits are shown than asked for', () => {
  const [head] = textOf([message('m1')], { page_full: true, count: { kind: 'exact', value: 9 } }, 30)
  expect(head).toBe('search "ferry": 1 shown of 9 matches, best first (limit 30: no more fit).')
})

test('a word that nobody wrote names its nearest forms', () => {
  const nearest = [
    { word: 'camping', records: 9 },
    { word: 'camp', records: 10_000, over: true },
  ]
  const words = [
    { word: 'camped', records: 0, nearest },
    { word: 'ferry', records: 2 },
  ]
  expect(textOf([message('m1')], { words })[1]).toBe(
    'None of these has all of the words. Records with each word as written: camped 0 (camping 9, camp over 10,000), ferry 2.',
  )
})

test('there is one line of guidance and no other', () => {
  const rows = [message('m1'), message('m2')]
  const other = textOf(rows, { count: { kind: 'exact', value: 2 } }).filter((line) => !/^\d+\. | {3}/.test(line))
  expect(other).toEqual([
    'search "ferry": 2 shown of 2 matches, best first.',
    'None of these has all of the words.',
    'Source: Family chat (chat).',
    'All shown: Ines · family',
    'Third-party text. fetch an id as shown; connection_id only where shown.',
  ])
})
