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
