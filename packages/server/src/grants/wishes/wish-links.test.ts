import type { LackingAccess } from '@pdpp/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WishLinks } from './wish-links.ts'
import { bounded } from './wish-thing.ts'

const links = new WishLinks(new Uint8Array(32).fill(7))
const tokenOf = (path: string) => path.slice('/wishes/'.length)
const lacking: fc.Arbitrary<LackingAccess> = fc.oneof(
  fc.record({ kind: fc.constant('stream' as const), stream: fc.string({ unit: 'binary', maxLength: 400 }) }),
  fc.record({
    kind: fc.constant('field' as const),
    connectorKey: fc.constant('mail'),
    stream: fc.string({ unit: 'grapheme' }),
    field: fc.string({ unit: 'binary', maxLength: 400 }),
  }),
  fc.record({
    kind: fc.constant('time' as const),
    connectorKey: fc.constant('mail'),
    stream: fc.constant('messages'),
    since: fc.constant('2026-01-01'),
  }),
)

test('an address leads to what it was made for, whatever the names are', () => {
  fc.assert(
    fc.property(lacking, (lacks) => {
      const link = { accessId: 'grt_1', lacks: bounded(lacks) }
      const path = links.path(link)
      expect(path).toMatch(/^\/wishes\/[\w-]+$/)
      expect(path.length).toBeLessThan(1_800)
      expect(links.read(tokenOf(path))).toEqual(link)
      expect(links.path(link)).toBe(path)
    }),
  )
})

test('nobody else can make an address', () => {
  const lacks = { kind: 'stream', stream: 'events' } as const
  const token = tokenOf(links.path({ accessId: 'grt_1', lacks }))
  const foreign = tokenOf(new WishLinks(new Uint8Array(32).fill(8)).path({ accessId: 'grt_1', lacks }))
  const other = Buffer.from(token, 'base64url')
  other[20]! ^= 1
  for (const forged of [
    foreign,
    other.toString('base64url'),
    token.slice(0, -4),
    `${token}A`,
    '',
    'a',
    'x'.repeat(9_999),
  ])
    expect(() => links.read(forged)).toThrow('This server did not make this address, or a part of it is missing.')
})
