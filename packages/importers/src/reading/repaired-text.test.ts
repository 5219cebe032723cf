import { expect, it } from 'vitest'
import { repairedValue } from './repaired-text.ts'

const bytes = (text: string) => Buffer.from(text).toString('latin1')

it('mends texts at every depth, and leaves right ones as they are', () => {
  const broken = { title: bytes('José'), data: [{ post: bytes('Año 🎉'), at: 7 }, null, true], right: 'Zoë' }
  expect(repairedValue(broken)).toEqual({ title: 'José', data: [{ post: 'Año 🎉', at: 7 }, null, true], right: 'Zoë' })
  const right = { title: 'José', list: ['Ünal', 'łódź'], empty: '' }
  expect(repairedValue(right)).toBe(right)
})

it('keeps the digits of long numbers', () => {
  const post = { id: JSON.rawJSON('9007199254740993'), text: bytes('é') }
  expect(JSON.stringify(repairedValue(post))).toBe('{"id":9007199254740993,"text":"é"}')
})
