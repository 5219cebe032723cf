import { expect, it } from 'vitest'
import { endsSoon, isUnused, type WatchedGrant } from './access-warnings.ts'

const DAY = 86_400_000
const NOW = 1000 * DAY
const grant = (changes: Partial<WatchedGrant> = {}): WatchedGrant => ({
  id: 'grt_a',
  status: 'active',
  createdAt: NOW - 100 * DAY,
  expiresAt: undefined,
  lastUsedAt: undefined,
  ...changes,
})

it('reports access that was not used for 30 days', () => {
  expect(isUnused(grant(), NOW)).toBe(true)
  expect(isUnused(grant({ createdAt: NOW - 29 * DAY }), NOW)).toBe(false)
  expect(isUnused(grant({ lastUsedAt: NOW - 30 * DAY }), NOW)).toBe(true)
  expect(isUnused(grant({ lastUsedAt: NOW - DAY }), NOW)).toBe(false)
  expect(isUnused(grant({ status: 'paused' }), NOW)).toBe(false)
  expect(isUnused(grant({ status: 'revoked' }), NOW)).toBe(false)
})

it('reports access that ends within a week', () => {
  expect(endsSoon(grant(), NOW)).toBe(false)
  expect(endsSoon(grant({ expiresAt: NOW + 6 * DAY }), NOW)).toBe(true)
  expect(endsSoon(grant({ expiresAt: NOW + 8 * DAY }), NOW)).toBe(false)
  expect(endsSoon(grant({ expiresAt: NOW - DAY, status: 'expired' }), NOW)).toBe(false)
})
