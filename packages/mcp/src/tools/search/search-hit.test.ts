import { expect, test } from 'vitest'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import { hitLines } from './hit-text.ts'
import { readHit } from './search-hit.ts'

const around = { isMixed: false, shared: { actor: undefined, place: undefined }, shownBy: new Map() }
const page = {
  providerUrl: 'https://data.example',
  origin: undefined,
  pages: true,
  highlighted: false,
  madeTitles: false,
}
const hit = (excerpts: readonly [string, string][]) =>
  readHit(
    {
      id: 'home/notes:n1',
      title: 'Plot 31: the harvest',
      place: 'Garden',
      authored_at: '2026-10-11T15:50:00Z',
      evidence_excerpts: excerpts.map(([field_path, preview_text]) => ({ field_path, preview_text })),
    },
    page,
  )

test('shows the title only once', () => {
  const title: [string, string] = ['title', 'Plot 31: the harvest']
  const body: [string, string] = ['body', 'Tomatoes 31 kg.']
  const first = '1. home/notes:n1 · Sun 2026-10-11 15:50Z · Garden'
  const titled = `${first} · "Plot 31: the harvest"`
  expect(hitLines(hit([body]), 1, around)).toEqual([titled, '   body: Tomatoes 31 kg.'])
  expect(hitLines(hit([title, body]), 1, around)).toEqual([titled, '   body: Tomatoes 31 kg.'])
  expect(hitLines(hit([title]), 1, around)).toEqual([first, '   title: Plot 31: the harvest'])
  expect(hitLines(hit([]), 1, around)).toEqual([titled, '   (no text of it matches; fetch shows the record)'])
})

test('makes the title that the server left out of the members of the hit', () => {
  const row = { id: 'chat/messages:m1', actor: 'Ines', place: 'family', authored_at: '2026-10-11T15:50:00Z' }
  expect(readHit(row, { ...page, madeTitles: true }).title).toBe('Ines / family / 2026-10-11 15:50Z')
})

verifies('001.1.3', 'a hit whose match stands in no text says so, and how to read it', () => {
  const [, ...below] = hitLines(hit([]), 1, around)
  expect(below).toEqual(['   (no text of it matches; fetch shows the record)'])
})
