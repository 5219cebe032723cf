import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storedTexts } from './stored-json.ts'

const LONG = 'Zwölf Boxkämpfer 👍 '.repeat(1000)

test('a record with long texts is what a parser finds', () => {
  const texts = fc.constantFrom(LONG, `${LONG}\n"quoted"`, `${LONG}\\`, 'short', `nul \0 ${LONG}`)
  const members = fc.dictionary(fc.constantFrom('id', 'a"b', '__proto__', '1', 'text'), fc.oneof(texts, fc.jsonValue()))
  fc.assert(
    fc.property(members, (record) => {
      const json = JSON.stringify(record)
      expect(storedTexts(json)).toEqual(JSON.parse(json))
    }),
  )
})

test.each([
  ['ends too early', (json: string) => json.slice(0, -5000)],
  ['has lost a block', (json: string) => `${json.slice(0, 5000)}${'\0'.repeat(4096)}${json.slice(9096)}`],
  ['has a quote in its text', (json: string) => `${json.slice(0, 5000)}"${json.slice(5001)}`],
])('a long record that %s is damaged', (_, damage) => {
  expect(() => storedTexts(damage(JSON.stringify({ id: 'a', text: LONG })))).toThrow(/damaged/i)
})

const PLAIN = 'sea and sand '.repeat(1000)

test.each([
  ['one long text', { id: 'a', n: 1.5, body: PLAIN, tags: ['x'], end: null }],
  ['a long text at the beginning', { body: PLAIN, id: 'a' }],
  ['a long text at the end', { id: 'a', body: PLAIN }],
  ['two long texts', { a: PLAIN, b: PLAIN }],
  ['a long text inside a list', { id: 'a', list: [PLAIN] }],
  ['a long text inside an object', { a: { b: PLAIN }, c: 'x' }],
  ['a long name', { [PLAIN]: 'x' }],
  ['escapes in the long text', { id: 'a', body: `${PLAIN}\n"quoted"` }],
  ['escapes beside the long text', { id: 'a\n', body: PLAIN }],
  ['a NUL in another member', { id: '\0long', body: PLAIN }],
  ['letters outside ASCII', { id: 'ä', body: `${PLAIN}Ufer 海 🌊` }],
  ['many short texts', { list: Array.from({ length: 2000 }, (_, n) => `text ${n}`) }],
  ['names of numbers', { 2: 'x', 1: PLAIN, b: 'y' }],
  ['members with special names', JSON.parse(`{"__proto__": "${PLAIN}", "constructor": "x"}`) as object],
])('a record is read exactly: %s', (_case, record) => {
  const read = storedTexts(JSON.stringify(record))
  expect(Object.entries(read)).toEqual(Object.entries(record))
  expect(Object.keys(read)).toEqual(Object.keys(record))
})

test('the last of two members with the same name counts', () => {
  expect(storedTexts(`{"a":"${PLAIN}","a":"x"}`)).toEqual({ a: 'x' })
  expect(storedTexts(`{"a":"x","a":"${PLAIN}"}`)).toEqual({ a: PLAIN })
})

test.each([
  ['a lost end', `{"id":"a","body":"${PLAIN}`],
  ['a lost bracket', `{"id":"a","body":"${PLAIN}"`],
  ['a lost block', `{"id":"a","body":"${PLAIN}${'\0'.repeat(4096)}"}`],
  ['text after the end', `{"id":"a","body":"${PLAIN}"}}`],
  ['a broken number', `{"id":1-,"body":"${PLAIN}"}`],
])('damage is noticed: %s', (_case, text) => {
  expect(() => storedTexts(text)).toThrow(/damaged/i)
})
