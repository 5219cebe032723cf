import type { Grant } from '@pdpp/protocol'
import { expect, it } from 'vitest'
import { pausedWords, widenedNotice } from './paused.ts'

const grant = (id: string) => ({ grant: { grant_id: id } as Grant })
const [active, paused] = [grant('a'), { ...grant('p'), pausedAt: 5 }]

it.each([
  [[active], ''],
  [[paused], 'It is paused, and stays paused.'],
  [[active, paused], 'Some of its sources are paused, and stay paused.'],
])('says before a change what is paused (case %#)', (members, says) => expect(pausedWords(members)).toBe(says))

it.each([
  [[active, paused], 'a', 'widened'],
  [[active, paused], 'p', 'widened_part_paused'],
  [[paused], 'p', 'widened_paused'],
])('says after a change whether it can be read (case %#)', (members, changed, notice) => {
  expect(widenedNotice(members, { replaced: [grant(changed)], added: [] })).toBe(notice)
  expect(widenedNotice(members, { replaced: [], added: [grant(changed)] })).toBe(notice)
})
