import { countChars, RESULT_BYTES } from '@pdpp/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { onEveryTransport } from './fixtures/agent.ts'
import { LARGE_JSON, LONG_BODY, SHARED_WORD } from './fixtures/sources.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const next = (text: string) => JSON.parse(/^next: read_record_field (\{.*\})$/m.exec(text)?.[1] ?? 'null')
const previous = (text: string) => JSON.parse(/^previous: read_record_field (\{.*\})$/m.exec(text)?.[1] ?? 'null')
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

onEveryTransport((kind) => {
  const mail = async () => world.agent(kind, await world.grant('mail'))
  const notes = async () => world.agent(kind, await world.grant('notes'))

  verifies('001.1.1', 'the text shows the matched words and how to read more', async () => {
    const agent = await mail()
    const text = await agent.read('search', { query: `${SHARED_WORD} orchard` })
    const [, id, field, offset] =
      /^\d+\. (home\/messages:long) .*\n {3}body: .*kestrel hovered over the orchard.*read_record_field field_path="(\w+)" offset_chars=(\d+)\]$/m.exec(
        text,
      )!
    const more = await agent.read('read_record_field', { id, field_path: field, offset_chars: Number(offset) })
    expect(more).toContain('the bells of the village')
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(RESULT_BYTES.default)
  })

  verifies('001.1.2', 'the preview has words around the match', async () => {
    const { text, structured } = await (await mail()).use('search', { query: SHARED_WORD })
    const long = structured.data.data.find(({ id }: any) => id === 'home/messages:long')
    const [excerpt] = long.evidence_excerpts
    expect(excerpt.preview_text).toMatch(/\w+ \w+ \w+ kestrel \w+ \w+ \w+/)
    expect(countChars(excerpt.preview_text)).toBeLessThan(600)
    expect(excerpt).toMatchObject({ field_path: 'body', truncated: true, total_chars: countChars(LONG_BODY) })
    expect(text).toMatch(/…[^\n]*At noon a kestrel hovered over the orchard\.[^\n]*…/)
    expect(text).toContain('body: A short kestrel sighting, noted in home.')
  })

  verifies(['001.1.3', 'point 41'], 'a match in another field shows no passage of the body', async () => {
    const agent = await mail()
    const { text, structured } = await agent.use('search', { query: 'heron', connection_id: 'home' })
    expect(text).toContain('subject: About the heron')
    expect(text + JSON.stringify(structured)).not.toMatch(/Nothing of that here|body/)
    expect(text).toContain('fetch an id as shown')
    const body = await agent.read('read_record_field', { id: 'home/messages:only-subject', field_path: 'body' })
    expect(body).toContain('Nothing of that here.')
  })

  verifies(['001.2.1', '001.2.2', 'point 21'], 'results contain no URI, and old URIs still work', async () => {
    const agent = await mail()
    for (const [tool, args] of [
      ['search', { query: SHARED_WORD }],
      ['query_records', { stream: 'messages', limit: 3 }],
      ['fetch', { id: 'home/messages:long' }],
      ['read_record_field', { id: 'home/messages:long', field_path: 'body' }],
    ] as const) {
      const { text, structured } = await agent.use(tool, args)
      expect(text + JSON.stringify(structured)).not.toContain('pdpp://')
    }
    const record = `pdpp://record/${base64url({ stream: 'messages', record_id: 'shared', connection_id: 'work' })}`
    const plain = `pdpp://record/${encodeURIComponent('work/messages:shared')}`
    for (const id of [record, plain]) {
      expect((await agent.use('fetch', { id })).structured.id).toBe('work/messages:shared')
      const { contents } = await agent.client.readResource({ uri: id })
      expect(JSON.parse((contents[0] as { text: string }).text).title).toBe('The same key in work')
      const field = await agent.read('read_record_field', { id, field_path: 'body' })
      expect(field).toContain('noted in work')
    }
    const window = `pdpp://field-window/${base64url({
      stream: 'messages',
      record_id: 'long',
      connection_id: 'home',
      field_path: 'body',
      offset_chars: 18_010,
      limit_chars: 7,
    })}`
    expect((await agent.use('read_record_field', { id: window })).structured.window.text).toBe('kestrel')
    const { contents } = await agent.client.readResource({ uri: window })
    expect((contents[0] as { text: string }).text).toContain('kestrel')
    const { resourceTemplates } = await agent.client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'pdpp://stream/{name}',
      'pdpp://record/{handle}',
      'pdpp://field-window/{handle}',
    ])
    const stream = await agent.client.readResource({ uri: 'pdpp://stream/messages' })
    expect((stream.contents[0] as { text: string }).text).toContain('subject[')
    await expect(agent.client.readResource({ uri: 'pdpp://elsewhere/x' })).rejects.toThrow()
  })

  verifies(['001.2.3', 'point 1'], 'a field read has text, offsets, state and next arguments', async () => {
    const agent = await mail()
    const args = { id: 'home/messages:long', field_path: 'body', q: SHARED_WORD, before_chars: 40, after_chars: 20 }
    const { text, structured } = await agent.use('read_record_field', args)
    const { window } = structured
    const position = [...LONG_BODY].join('').indexOf(SHARED_WORD)
    expect(window).toMatchObject({
      match_start_chars: position,
      match_end_chars: position + SHARED_WORD.length,
      start_chars: position - 40,
      total_chars: LONG_BODY.length,
      complete: false,
    })
    expect(window.text).toBe(LONG_BODY.slice(window.start_chars, window.end_chars))
    expect(structured.next).toEqual({ id: args.id, field_path: 'body', offset_chars: window.end_chars })
    expect(structured.previous).toMatchObject({ id: args.id, field_path: 'body' })
    expect(text).toContain(`chars ${window.start_chars}-${window.end_chars} of`)
    expect(text).toContain('complete=false')
    expect(text).toContain(`match at ${position}-${position + SHARED_WORD.length}`)
    expect(next(text)).toEqual(structured.next)
    expect(previous(text)).toEqual(structured.previous)
    expect(text).toContain(window.text)
    const back = await agent.use('read_record_field', previous(text)!)
    expect(back.structured.window.text).toBe(
      LONG_BODY.slice(back.structured.window.start_chars, back.structured.window.end_chars),
    )
    const missing = await agent.refusal('read_record_field', { ...args, q: 'no such words' })
    expect(missing.code).toBe('query_not_found')
  })

  verifies('001.2.3', 'reading on as the text says gives the whole field', async () => {
    const agent = await mail()
    let read = ''
    for (let args: object | null = { id: 'home/messages:long', field_path: 'body' }; args !== null; ) {
      const text: string = await agent.read('read_record_field', args)
      read += text.slice(text.indexOf('\n\n') + 2)
      args = next(text)
    }
    expect(read).toBe(LONG_BODY)
  })

  test('a path into a field is refused with what works', async () => {
    const args = { id: 'home/messages:long', field_path: 'body[0]' }
    const error = await (await mail()).refusal('read_record_field', args)
    expect([error.code, error.param]).toEqual(['invalid_argument', 'field_path'])
    expect(error.next_step).toMatch(/^Name a whole field/)
  })

  verifies('001.2.3', 'next and previous read parts that touch, as long as asked for', async () => {
    const agent = await mail()
    const args = { id: 'home/messages:long', field_path: 'body', offset_chars: 700, limit_chars: 300 }
    const text = await agent.read('read_record_field', args)
    expect(next(text)).toEqual({ ...args, offset_chars: 1_000 })
    expect(previous(text)).toEqual({ ...args, offset_chars: 400 })
    const begin = await agent.read('read_record_field', { ...args, offset_chars: 7 })
    expect(previous(begin)).toEqual({ ...args, offset_chars: 0, limit_chars: 7 })
    // The part before an excerpt ends where the excerpt begins.
    const excerpt = { id: args.id, field_path: 'body', q: SHARED_WORD, before_chars: 40, after_chars: 20 }
    const { text: around, structured } = await agent.use('read_record_field', excerpt)
    const back = await agent.use('read_record_field', previous(around)!)
    expect(back.structured.window.end_chars).toBe(structured.window.start_chars)
    expect(next(around)).not.toHaveProperty('limit_chars')
  })

  verifies(['001.3.1', 'point 1'], 'a small text is inline, complete and has its size', async () => {
    const { text, structured } = await (await mail()).use('read_record_field', {
      id: 'home/messages:home-2',
      field_path: 'body',
    })
    expect(structured.window).toMatchObject({
      text: 'Figures for week 2, as every week.',
      start_chars: 0,
      end_chars: 34,
      total_chars: 34,
      complete: true,
      next_offset_chars: null,
    })
    expect(structured.next).toBeUndefined()
    expect(text).toContain('chars 0-34 of 34, complete.')
    expect(text).toContain('Figures for week 2, as every week.')
  })

  verifies('001.4.1', 'every tool describes bytes and says how to export them', async () => {
    const agent = await mail()
    const { text, structured } = await agent.use('read_record_field', { id: 'home/messages:long', field_path: 'photo' })
    expect(structured.field).toMatchObject({ type: 'binary', media_type: 'image/png', size_bytes: 3_000 })
    for (const part of ['image/png', '3,000 bytes', 'Export: the owner opens http', '/r/home%2Fmessages%3Along'])
      expect(text).toContain(part)
    expect(structured.export.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/r\//)
    const page = await agent.use('query_records', { stream: 'messages', filter: { id: 'long' } })
    const document = await agent.use('fetch', { id: 'home/messages:long' })
    for (const output of [page.text, document.structured.text]) {
      expect(output).toContain('[image/png, 3,000 bytes; read_record_field field_path="photo"]')
      expect(output).not.toMatch(/[A-Za-z0-9+/]{120}/)
    }
  })

  verifies('001.4.1', 'a large field never looks complete', async () => {
    const agent = await mail()
    const { text, structured } = await agent.use('query_records', { stream: 'messages', filter: { id: 'long' } })
    expect(structured.data.data[0].described_fields.toSorted()).toEqual(['body', 'headers', 'photo'])
    expect(text).toContain('warning fields_described')
    expect(text).toMatch(/\[string, 37,243 chars; read_record_field field_path="body"\]/)
    expect(text).toMatch(/\[object, 33,990 chars; read_record_field field_path="headers"\]/)
    const { metadata, text: documentText } = (await agent.use('fetch', { id: 'home/messages:long' })).structured
    expect(metadata).toMatchObject({ text_truncated: true, text_total_chars: LONG_BODY.length })
    const { tool, arguments: args } = metadata.continue
    const rest = await agent.use(tool, args)
    const body = documentText.slice(documentText.indexOf('body:\n') + 6)
    expect(LONG_BODY.startsWith(body + rest.structured.window.text)).toBe(true)
  })

  verifies('001.4.1', 'a large JSON field is read in parts that form the same value', async () => {
    const agent = await mail()
    let json = ''
    for (let args: any = { id: 'home/messages:long', field_path: 'headers', limit_chars: 16_000 }; args; ) {
      const { structured } = await agent.use('read_record_field', args)
      json += structured.window.text
      args = structured.next && { ...structured.next, limit_chars: 16_000 }
    }
    expect(JSON.parse(json)).toEqual(LARGE_JSON)
  })

  verifies('001.4.1', 'a record of forty large fields names every one of them', async () => {
    const agent = await notes()
    const page = await agent.read('query_records', { stream: 'hoard', limit: 1 })
    const { structured } = await agent.use('fetch', { id: 'notebook/hoard:h1' })
    for (const text of [page, structured.text])
      for (let column = 0; column < 40; column++) expect(text).toMatch(new RegExp(`\\bcolumn_${column}\\b`))
    const field = await agent.use('read_record_field', { id: 'notebook/hoard:h1', field_path: 'column_0' })
    expect(field.structured.window.text).toMatch(/^treasure 1 🪙"\\/)
  })
})
