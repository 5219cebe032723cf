// Every importer: a small export is imported, and an agent answers a question about it through MCP.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importers } from '@pdpp/importers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdapterServer, type Source, startAdapter } from '../../../tests/adapter/adapter-server.ts'
import { MADE_EXPORTS } from '../../../tests/fixtures/exports/all-exports.ts'
import { exportInputs } from '../../../tests/fixtures/exports/export-inputs.ts'
import { KNOWN_PERSON, KNOWN_TEXT } from '../../../tests/fixtures/exports/made-export.ts'
import { KNOWN_PHONE } from '../../../tests/fixtures/exports/people.ts'
import { readExport } from '../src/run/importer-battery.fixture.ts'

const ITEMS = 6
const folder = mkdtempSync(join(tmpdir(), 'pdpp-questions-'))
let adapter: AdapterServer
/** The connection of each importer's export. */
const connections = new Map<string, string>()

async function imported(id: string): Promise<Source> {
  const made = MADE_EXPORTS.find(({ importer }) => importer === id)!
  const importer = importers.find((each) => each.id === id)!
  const { plans, records, coverage } = await readExport(importer, exportInputs(made, ITEMS, folder))
  expect([id, plans.length, coverage.unexplained]).toEqual([id, 1, 0])
  const { declaration, connection } = plans[0]!
  const { id: connectionId, name } = connection ?? { id, name: declaration.display.name }
  connections.set(id, connectionId)
  return {
    declaration: { ...declaration },
    connections: [{ id: connectionId, name }],
    feeds: [...Map.groupBy(records, ({ stream }) => stream)].map(([stream, of]) => ({
      connection: connectionId,
      stream,
      // The pictures and papers themselves are not sent, so nothing may refer to them.
      records: of.map(({ key, data, blobs = [] }) => ({
        key,
        data: { ...data, ...Object.fromEntries(blobs.map(({ path }) => [path.slice(1), null])) },
      })),
    })),
  }
}

beforeAll(async () => {
  const sources: Source[] = []
  for (const { id } of importers) sources.push(await imported(id))
  adapter = await startAdapter(sources)
}, 120_000)
afterAll(async () => {
  await adapter.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (importer: string, tool: string, args: object): Promise<string> => {
  const { text, isError } = await adapter.call(tool, { connection_id: connections.get(importer), ...args })
  expect([tool, isError, text]).toEqual([tool, false, text])
  return text
}
const ofKind = (...kinds: string[]) => importers.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)
const NEW_YEAR = { gte: '2020-01-01T00:00:00Z', lt: '2020-01-02T00:00:00Z' }

describe('an agent is asked', () => {
  it.each(ofKind('chats'))('in %s: who said where the samovar is, on which day, in which group?', async (id) => {
    const hits = await ask(id, 'search', { query: 'samovar boat house', limit: 3 })
    const who = id === 'matrix' ? '@del:harbour.example' : id === 'imessage' ? 'del@harbour.example' : KNOWN_PERSON
    expect(hits).toMatch(new RegExp(`2020-01-01 00:0[45].* · ${who} · #?(Rope club|rope-club)`))
    expect(hits).toContain(KNOWN_TEXT)
    const day = await ask(id, 'query_records', { stream: 'messages', filter: { sent_at: NEW_YEAR } })
    expect(day).toContain(`messages: ${ITEMS} records`)
    const later = await ask(id, 'query_records', { stream: 'messages', filter: { sent_at: { gte: '2020-01-02' } } })
    expect(later).not.toContain('samovar')
  })

  it.each(ofKind('ai'))('in %s: what was I told about the samovar, and in which conversation?', async (id) => {
    const hits = await ask(id, 'search', { query: 'samovar boat house', limit: 3 })
    expect(hits).toMatch(/2020-01-01 .* · (ChatGPT|Claude|Claude Code|Codex|Gemini)\b/)
    expect(hits).toContain(KNOWN_TEXT)
    const talks = await ask(id, 'query_records', { stream: 'conversations' })
    expect(talks).toMatch(/conversations: \d+ records?/)
  })

  it('in icalendar: where is tea on new year, and at what time?', async () => {
    const filter = { starts_at: NEW_YEAR, title: 'Tea at the samovar' }
    const tea = await ask('icalendar', 'query_records', { stream: 'occurrences', filter })
    expect(tea).toContain('Boat house')
    expect(tea).toContain('2020-01-01 10:00:03Z')
  })

  it.each(ofKind('people'))('in %s: what is the phone number of Del Strand?', async (id) => {
    const hits = await ask(id, 'search', { query: 'Del Strand 3', limit: 1 })
    const [found] = /contacts:\S+/.exec(hits)!
    const contact = await adapter.call('fetch', { id: `${connections.get(id)}/${found}` })
    expect(JSON.stringify(contact.structured)).toContain(KNOWN_PHONE)
  })

  it.each(ofKind('notes'))('in %s: what did I note about the samovar on new year?', async (id) => {
    const hits = await ask(id, 'search', { query: 'samovar boat house', limit: 3 })
    expect(hits).toContain('Where the samovar is')
    expect(hits).toContain(KNOWN_TEXT)
    const noted = await ask(id, 'query_records', { stream: 'notes', filter: { noted_at: NEW_YEAR }, limit: 20 })
    expect(noted).toContain('Where the samovar is')
  })

  it('in documents: which paper names the samovar, and on which page?', async () => {
    const hits = await ask('documents', 'search', { query: 'samovar boat house', limit: 1 })
    expect(hits).toContain(KNOWN_TEXT)
    const filter = {
      document_id: /documents:([0-9a-f]{32})|sections:([0-9a-f]{32})/.exec(hits)!.slice(1).find(Boolean),
    }
    expect(await ask('documents', 'query_records', { stream: 'sections', filter })).toContain('position')
    const named = await ask('documents', 'search', { query: '3.html', limit: 1 })
    expect(named).toContain('3.html')
  })

  it('in photos: how many were taken at 18° east on new year, and where?', async () => {
    const filter = { taken_at: NEW_YEAR, longitude: { gte: -19, lte: -18 } }
    const count = await ask('photos', 'aggregate', { stream: 'photos', metric: 'count', filter })
    expect(count).toMatch(new RegExp(`= ${ITEMS}\\b`))
    const files = await ask('photos', 'search', { query: 'IMG_3.jpg', limit: 1 })
    expect(files).toContain('Photos')
  })

  it('in mail: what did Del Strand mail me about the samovar?', async () => {
    const hits = await ask('mail', 'search', { query: 'samovar boat house', limit: 1 })
    expect(hits).toMatch(/2020-01-01 .* · Del Strand/)
    expect(hits).toContain(KNOWN_TEXT)
  })

  it('in tabular: how much did I pay Del Strand on new year?', async () => {
    const filter = { seller: KNOWN_PERSON, at: NEW_YEAR }
    const sum = await ask('tabular', 'aggregate', { stream: 'orders', metric: 'sum', field: 'amount', filter })
    expect(sum).toMatch(/= 3\b/)
    expect(await ask('tabular', 'search', { query: 'samovar', limit: 1 })).toContain(KNOWN_PERSON)
  })

  it('about every importer', () => {
    expect([...connections.keys()].toSorted()).toEqual(importers.map(({ id }) => id).toSorted())
    const kinds = new Set(importers.map(({ kind }) => kind))
    expect([...kinds].toSorted()).toEqual(
      ['ai', 'calendar', 'chats', 'documents', 'mail', 'notes', 'people', 'photos', 'tables'].toSorted(),
    )
  })
})
