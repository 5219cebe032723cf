import { describe, expect, it } from 'vitest'
import { demoOwner, demoRecords } from './index.ts'

const records = [...demoRecords()]
const name = (one: { connection_id: string; stream: string; key: string | string[] }) =>
  JSON.stringify([one.connection_id, one.stream, one.key])
const byName = new Map(records.map((one) => [name(one), one]))
const texts = records.map((one) => JSON.stringify(one.data))

describe('the storylines', () => {
  const facts = demoOwner.storylines.flatMap((one) => one.facts.map((fact) => ({ title: one.title, ...fact })))

  it('are at least twelve, with at least forty facts', () => {
    expect(demoOwner.storylines.length).toBeGreaterThanOrEqual(12)
    expect(facts.length).toBeGreaterThanOrEqual(40)
  })

  it.each(facts)('$title: $question', ({ where, key_words }) => {
    const evidence = where.map((one) => byName.get(name(one)))
    expect(evidence).not.toContain(undefined)
    const written = evidence
      .map((one) => Object.values(one!.data).map(String).join('\n'))
      .join('\n')
      .toLowerCase()
    for (const word of key_words) expect(written).toContain(word.toLowerCase())
  })
})

describe('the texts', () => {
  it.each([
    ['German', /[äöüß]/u],
    ['Spanish', /[¿¡ñ]/u],
    ['French', /[çèêœ]/u],
    ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
    ['Chinese', /[谢这们说灯]/u],
    ['Arabic', /\p{Script=Arabic}/u],
    ['Hindi', /\p{Script=Devanagari}/u],
    ['Thai', /\p{Script=Thai}/u],
    ['Russian', /\p{Script=Cyrillic}/u],
    ['Greek', /\p{Script=Greek}/u],
    ['emoji families', /👨‍👩‍👧/u],
    ['flags', /\p{Regional_Indicator}{2}/u],
  ])('include %s', (_, pattern) => {
    expect(texts.filter((text) => pattern.test(text)).length).toBeGreaterThanOrEqual(3)
  })

  it('contain no unfilled template', () => {
    for (const { stream, data } of records) {
      if (stream === 'attachments') continue
      for (const value of Object.values(data)) {
        if (typeof value === 'string')
          expect(value).not.toMatch(/\{[a-z]+\d*(:\d+-\d+)?\}|\bundefined\b(?! degrees)| ¶|\[[^\]\n]*\|/)
      }
    }
  })

  it('use only reserved addresses', () => {
    for (const text of texts)
      for (const [, host] of text.matchAll(/[\w.]@([\w.-]+\w)/g))
        expect(host).toMatch(/(\.example|example\.com|^gull-3)$/)
  })

  it('rarely repeat long chat messages and mails', () => {
    const said = records
      .filter((one) => one.stream === 'messages')
      .map((one) => String(one.data['text'] ?? one.data['body']))
      .filter((text) => text.length > 60)
    expect(new Set(said).size / said.length).toBeGreaterThan(0.9)
  })
})

describe('the difficult records', () => {
  const data = (connection: string, stream: string) =>
    records.filter((one) => one.connection_id === connection && one.stream === stream).map((one) => one.data)

  it('contain an exact number beyond 2^53', () => {
    const text = texts.find((one) => one.includes('provider_message_id'))
    expect(text).toMatch(/"provider_message_id":9\d{15,}[,}]/)
    const ids = texts.flatMap((one) => /"provider_message_id":(\d+)/.exec(one)?.[1] ?? [])
    expect(ids.every((one) => BigInt(one) > 2n ** 53n)).toBe(true)
    expect(ids.some((one) => String(Number(one)) !== one)).toBe(true)
  })

  it('contain a megabyte of text and sixty levels of JSON', () => {
    const log = data('notes', 'notes').find((one) => one['title'] === 'Server log paste')
    expect(String(log?.['body']).length).toBeGreaterThan(1_000_000)
    let level: unknown = data('mail-work', 'attachments').find((one) => one['metadata'])?.['metadata']
    let depth = 0
    while (typeof level === 'object' && level !== null) {
      level = (level as Record<string, unknown>)['cause']
      depth++
    }
    expect(depth).toBeGreaterThanOrEqual(60)
  })

  it('contain empty and missing values, bidi controls and odd keys', () => {
    const mails = data('mail-work', 'messages')
    const notes = data('notes', 'notes')
    expect(mails.some((one) => one['subject'] === '' && one['from_name'] === null && !('cc' in one))).toBe(true)
    expect(notes.some((one) => one['body'] === null && !('folder' in one) && !('tags' in one))).toBe(true)
    expect(mails.some((one) => /\u202e/.test(String(one['subject'])))).toBe(true)
    expect(mails.some((one) => String(one['subject']).length > 500)).toBe(true)
    const keys = notes.map((one) => String(one['id']))
    for (const part of ['/', ':', '%', ' ', 'ä', '日本', '👨‍👩‍👧'])
      expect(
        keys.some((key) => key.includes(part)),
        part,
      ).toBe(true)
  })
})
