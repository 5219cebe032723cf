import { expect, it } from 'vitest'
import { nearestNames } from './nearest-names.ts'

const KNOWN = ['messages', 'message_bodies', 'threads', 'attachments', 'notes', 'orders']

it.each([
  ['mesages', ['messages']],
  ['Messages', ['messages']],
  ['message', ['messages', 'message_bodies']],
  ['theards', ['threads']],
  ['order', ['orders']],
  ['zzz', []],
  ['', []],
  ['m'.repeat(10_000), []],
])('suggests for %s the names %j', (name, suggested) => {
  expect(nearestNames(name, KNOWN)).toEqual(suggested)
})
