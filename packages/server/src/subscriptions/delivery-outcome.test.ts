import { expect, it } from 'vitest'
import { AddressNotAllowed } from '../lib/guarded-fetch.ts'
import { outcomeOf, outcomeOfError, retryDelay } from './delivery-outcome.ts'
import type { StoredEvent } from './subscription-store.ts'

const NOW = Date.UTC(2026, 0, 1)
const event = (type: StoredEvent['type'] = 'pdpp.records.changed'): StoredEvent => ({
  sequence: 1,
  eventId: 'evt_1',
  subscriptionId: 'sub_1',
  type,
  at: NOW,
  data: { challenge: 'abc' },
  count: undefined,
  attempts: 0,
})
const answered = (status: number, retryAfter?: string) =>
  outcomeOf(event(), { status, retryAfter, text: undefined }, NOW)

it.each([
  [200, 'ok'],
  [204, 'ok'],
  [302, 'redirect'],
  [400, 'status'],
  [503, 'status'],
])('takes status %i for %s', (status, reason) => {
  expect(answered(status)).toMatchObject({ reason, isSuccess: reason === 'ok', isGone: false })
})

it.each([
  ['1', 1_000],
  ['0', 1_000],
  ['120', 120_000],
  ['999999999', 86_400_000],
  [new Date(NOW + 60_000).toUTCString(), 60_000],
  [new Date(NOW - 60_000).toUTCString(), 1_000],
  ['soon', undefined],
  [undefined, undefined],
])('honours Retry-After %s within bounds', (header, expected) => {
  expect(answered(503, header).retryAfterMs).toBe(expected)
})

it.each([
  ['{"challenge":"abc"}', true],
  ['{"challenge":"ABC"}', false],
  ['"abc"', false],
  ['abc', false],
  ['null', false],
  [undefined, false],
])('takes %s for an answer to the challenge: %s', (text, isSuccess) => {
  const answer = { status: 200, retryAfter: undefined, text }
  expect(outcomeOf(event('pdpp.subscription.verify'), answer, NOW).isSuccess).toBe(isSuccess)
})

it('tells the client the same whatever is wrong with the network', () => {
  const errors = [new AddressNotAllowed(), new Error('ECONNREFUSED'), new Error('timed out')]
  expect(new Set(errors.map((error) => outcomeOfError(error).reason))).toEqual(new Set(['unreachable']))
  expect(errors.map((error) => outcomeOfError(error).detail)).toEqual(['address_not_allowed', 'unreachable', 'timeout'])
})

it('waits longer after every attempt, with jitter, up to six hours', () => {
  const delays = (random: number) => [1, 2, 3, 4, 20].map((attempts) => retryDelay(attempts, 5_000, random) / 1000)
  expect(delays(0.5)).toEqual([5, 20, 80, 320, 21_600])
  expect([delays(0)[0], delays(1)[0]]).toEqual([4, 6])
})
