import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { demoConnections, demoRecords, demoSources } from './index.ts'
import type { DemoRecord, StreamDeclaration } from './types.ts'

const records = [...demoRecords()]

const streamOf = (record: DemoRecord): StreamDeclaration => {
  const connection = demoConnections.find((one) => one.connection_id === record.connection_id)
  const source = demoSources.find((one) => one.connector_key === connection?.connector_key)
  const stream = source?.streams.find((one) => one.name === record.stream)
  if (!stream) throw new Error(`no declaration for ${record.connection_id}/${record.stream}`)
  return stream
}

const of = (connection: string, stream: string) =>
  records.filter((one) => one.connection_id === connection && one.stream === stream)

const fingerprint = (all: Iterable<DemoRecord>) => {
  const hash = createHash('sha256')
  for (const record of all) hash.update(`${JSON.stringify(record)}\n`)
  return hash.digest('hex')
}

describe('the demo records', () => {
  it('are the same bytes in every run', () => {
    expect(fingerprint(records)).toBe('c068948495aecf7fcbd4f1815b914f986e9e398db1b2e9b7bb8fc3a33b48f5cb')
    expect(fingerprint(demoRecords())).toBe(fingerprint(records))
  })

  it('fill every declared stream with about the expected number', () => {
    const counts: Partial<Record<string, DemoRecord[]>> = Object.groupBy(
      records,
      (one) => `${one.connection_id}/${one.stream}`,
    )
    const expected: Record<string, [low: number, high: number]> = {
      'mail-personal/messages': [2000, 2800],
      'mail-personal/threads': [1000, 1600],
      'mail-personal/attachments': [30, 120],
      'mail-work/messages': [2700, 3400],
      'mail-work/threads': [1400, 1900],
      'mail-work/attachments': [200, 400],
      'chat/channels': [10, 20],
      'chat/messages': [6000, 7000],
      'chat/members': [10, 20],
      'notes/notes': [320, 380],
      'calendar/events': [820, 980],
      'contacts/contacts': [200, 240],
      'purchases/orders': [390, 450],
      'purchases/items': [820, 980],
      'music/plays': [4200, 4800],
      'assistant/conversations': [90, 220],
      'assistant/messages': [800, 1000],
    }
    expect(Object.keys(counts).sort()).toEqual(Object.keys(expected).sort())
    for (const [name, [low, high]] of Object.entries(expected)) {
      expect(counts[name]?.length, name).toBeGreaterThanOrEqual(low)
      expect(counts[name]?.length, name).toBeLessThanOrEqual(high)
    }
  })

  it('have unique keys that match the primary key', () => {
    const seen = new Set<string>()
    const wrong = records.flatMap((record) => {
      const name = JSON.stringify([record.connection_id, record.stream, record.key])
      const repeated = seen.has(name)
      seen.add(name)
      const fields = streamOf(record).primary_key.map((field) => String(record.data[field]))
      const agrees = isDeepStrictEqual(record.key, fields.length === 1 ? fields[0] : fields)
      return repeated || !agrees ? [name] : []
    })
    expect(wrong).toEqual([])
  })

  it('have every required field and no undeclared one', () => {
    // One comparison for all records, because 200,000 calls of `expect` take ten seconds.
    const wrong = records.flatMap((record) => {
      const { properties, required } = streamOf(record).schema
      const missing = required.filter((field) => record.data[field] === undefined)
      const undeclared = Object.keys(record.data).filter((field) => !Object.hasOwn(properties, field))
      return [...missing, ...undeclared].map((field) => `${record.stream}.${field}`)
    })
    expect(wrong).toEqual([])
  })

  it('come stream by stream, oldest first, within the year', () => {
    const finished = new Set<string>()
    let current = ''
    let last = { cursor: 0, emitted: 0 }
    for (const record of records) {
      const name = `${record.connection_id}/${record.stream}`
      if (name !== current) {
        expect(finished.has(name), name).toBe(false)
        finished.add(current)
        current = name
        last = { cursor: 0, emitted: 0 }
      }
      const cursor = Date.parse(String(record.data[streamOf(record).cursor_field]))
      const emitted = Date.parse(record.emitted_at)
      expect(cursor).toBeGreaterThanOrEqual(last.cursor)
      expect(emitted).toBeGreaterThanOrEqual(last.emitted)
      expect(emitted).toBeGreaterThanOrEqual(cursor)
      expect(record.emitted_at >= '2025-10-31T22:00:00Z' && record.emitted_at < '2026-11-01T01:00:00Z').toBe(true)
      last = { cursor, emitted }
    }
  })
})

describe('references between records', () => {
  it.each(['mail-personal', 'mail-work'])('%s: threads and attachments belong to messages', (box) => {
    const messages = of(box, 'messages')
    const ids = new Set(messages.map((one) => one.key))
    const perThread = Map.groupBy(messages, (one) => one.data['thread_id'])
    const counted = [...perThread].map(([id, all]) => [id, all.length])
    expect(new Map(of(box, 'threads').map((one) => [one.key, one.data['message_count']]))).toEqual(
      new Map(counted as []),
    )
    for (const file of of(box, 'attachments')) expect(ids.has(String(file.data['message_id']))).toBe(true)
    const withFiles = new Set(of(box, 'attachments').map((one) => one.data['message_id']))
    for (const one of messages) expect(one.data['has_attachments']).toBe(withFiles.has(one.key))
  })

  it('chat threads, channels and authors exist', () => {
    const messages = of('chat', 'messages')
    const ids = new Set(messages.map((one) => one.key))
    const channels = new Set(of('chat', 'channels').map((one) => one.key))
    const members = new Set(of('chat', 'members').map((one) => one.key))
    for (const { data } of messages) {
      if (data['thread_id'] !== null) expect(ids.has(String(data['thread_id']))).toBe(true)
      expect(channels.has(String(data['channel'])), String(data['channel'])).toBe(true)
      expect(members.has(String(data['author_id']))).toBe(true)
    }
  })

  it('the prices of items add up to the total of their order', () => {
    const items = Map.groupBy(of('purchases', 'items'), (one) => one.data['order_id'])
    for (const { key, data } of of('purchases', 'orders')) {
      const sum = (items.get(key) ?? []).reduce(
        (all, one) => all + Number(one.data['quantity']) * Number(one.data['price_cents']),
        0,
      )
      expect(sum).toBe(data['total_cents'])
    }
    expect(items.size).toBe(of('purchases', 'orders').length)
  })

  it('assistant messages alternate, and their number is correct', () => {
    const turns = Map.groupBy(of('assistant', 'messages'), (one) => one.data['conversation_id'])
    for (const { key, data } of of('assistant', 'conversations')) {
      const roles = (turns.get(key) ?? []).map((one) => one.data['role'])
      expect(roles.length).toBe(data['message_count'])
      expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')))
    }
  })
})

describe('the files of attachments', () => {
  const files = records.filter((one) => one.stream === 'attachments')
  const text = ({ file }: DemoRecord) => Buffer.from(file!.bytes).toString('latin1')

  it('match their records in size, type and hash', () => {
    expect(records.filter(({ file }) => file)).toEqual(files)
    for (const { data, file } of files) {
      const sha256 = createHash('sha256').update(file!.bytes).digest('hex')
      const said = { sha256, size_bytes: file!.bytes.length, mime_type: file!.mime_type }
      expect(data['blob_ref']).toEqual({ blob_id: `blob_${sha256}`, ...said })
      expect([data['size_bytes'], data['media_type']]).toEqual([said.size_bytes, said.mime_type])
    }
  })

  it('are small: a few hundred kilobytes together', () => {
    expect(files.reduce((sum, { file }) => sum + file!.bytes.length, 0)).toBeLessThan(400_000)
  })

  it('have the content of their type', () => {
    for (const one of files) {
      const { data, file } = one
      if (file!.mime_type === 'application/pdf') {
        const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text(one))?.[1])
        expect(text(one).slice(start)).toMatch(/^xref\n0 6\n/)
        for (const [, place] of text(one)
          .slice(start)
          .matchAll(/^(\d{10}) 00000 n $/gm))
          expect(text(one).slice(Number(place))).toMatch(/^\d 0 obj\n/)
        const stream = /\/Length (\d+) >>\nstream\n([\s\S]*)\nendstream/.exec(text(one))
        expect(stream?.[2]?.length).toBe(Number(stream?.[1]))
      } else if (file!.mime_type === 'image/png') {
        const bytes = Buffer.from(file!.bytes)
        const at = bytes.indexOf('IDAT')
        const pixels = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
        expect(pixels.length).toBe(bytes.readUInt32BE(20) * (bytes.readUInt32BE(16) + 1))
      } else if (file!.mime_type === 'application/json')
        expect(JSON.parse(Buffer.from(file!.bytes).toString())).toEqual(data['metadata'])
      else if (file!.mime_type === 'text/csv') expect(Buffer.from(file!.bytes).toString()).toBe(data['extracted_text'])
      else expect(file!.mime_type).toBe('text/html')
    }
  })

  it('agree with their mail: an invoice has its number and sum', () => {
    const mails = new Map(records.filter((one) => one.stream === 'messages').map((one) => [one.key, one.data]))
    const invoices = files.filter(({ data }) => /^invoice-.*\.(pdf|csv|html)$/.test(String(data['filename'])))
    expect(invoices.length).toBeGreaterThan(3)
    for (const { data } of invoices) {
      const mail = mails.get(String(data['message_id']))!
      const [, number, sum] = /invoice (\d+) over ([\d.]+) euros/.exec(String(mail['body']))!
      expect(data['extracted_text']).toContain(`Invoice ${number}`)
      expect(data['extracted_text']).toContain(`${sum} euros`)
    }
  })
})
