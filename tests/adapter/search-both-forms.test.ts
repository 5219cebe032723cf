// A search of a chat: enough hits in few bytes, and both forms of the result say the same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifies } from '../fixtures/verifies.ts'
import { type AdapterServer, startAdapter } from './adapter-server.ts'
import { chatSource } from './chat-data.ts'

let chat: AdapterServer
beforeAll(async () => {
  chat = await startAdapter([chatSource])
})
afterAll(() => chat.close())

const bytes = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
const QUERIES = ['ferry', 'When does the ferry leave on Friday?', 'Wanda Birchgrove', 'what did Ines say about the cat']

test.each(QUERIES)('12 hits fit into 3,000 bytes of text: %s', async (query) => {
  const asked = await chat.call('search', { query, limit: 12 })
  expect(asked.structured['results']).toHaveLength(12)
  expect(bytes(asked.text)).toBeLessThanOrEqual(3_000)
  expect(bytes(asked.structured)).toBeLessThanOrEqual(10_000)
  for (const { id } of asked.structured['results']) expect(asked.text).toContain(`. ${id} · `)
})

/** The lines of each hit in the text, by its id. */
function blocks(text: string): Map<string, string> {
  const [, ...parts] = `\n${text}`.split(/\n(?=\d+\. )/)
  return new Map(parts.map((part) => [/^\d+\. (\S+)/.exec(part)![1]!, part]))
}

verifies(['point 7', 'point 41'], 'previews, files and reasons are in both forms', async () => {
  const seen = new Set<string>()
  for (const args of [
    ...QUERIES.map((query) => ({ query, limit: 40 })),
    { query: 'When does the ferry leave on Friday?', limit: 20, filter: { author: 'Tomas Ferrier' } },
    { query: 'Where did we leave the kayak?', limit: 12 },
  ]) {
    const { text, structured } = await chat.call('search', args)
    const shown = blocks(text)
    const { data: hits, meta } = structured['data']
    expect([...shown.keys()]).toEqual(hits.map(({ id }: { id: string }) => id))
    expect(text.includes(`(limit ${args.limit}: no more fit)`)).toBe(meta.page_full)
    const byContext = hits.filter(({ match }: { match: string }) => match === 'context').length
    expect(/and (\d+) by context/.exec(text)?.[1] ?? '0').toBe(String(byContext))
    for (const hit of hits) {
      const block = shown.get(hit.id)!
      const lines = block.split('\n').slice(1)
      const expected = [
        ...hit.evidence_excerpts.map(
          (one: { field_path: string; preview_text: string }) => `   ${one.field_path}: ${one.preview_text}`,
        ),
        ...(hit.begins ? [`   begins: ${hit.begins.preview_text}`] : []),
      ]
      expect(lines.filter((line) => !line.startsWith('   context: '))).toEqual(expected)
      expect(lines.filter((line) => line.startsWith('   context: '))).toHaveLength(hit.context ? 1 : 0)
      if (hit.context?.preview_text) expect(block).toContain(`"${hit.context.preview_text}"`)
      expect(block.includes('[file]')).toBe(hit.attachments?.count === 1)
      for (const [kind, is] of Object.entries({
        ...{ begins: hit.begins, excerpt: hit.evidence_excerpts.length > 0, files: hit.attachments },
        ...{ context: hit.context?.preview_text, reference: hit.context && !hit.context.preview_text },
      }))
        if (is) seen.add(kind)
    }
  }
  // Otherwise nothing would have been compared.
  expect([...seen].sort()).toEqual(['begins', 'context', 'excerpt', 'files', 'reference'])
})
