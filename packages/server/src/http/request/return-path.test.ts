import { expect, it } from 'vitest'
import { returnPath, returnQuery } from './return-path.ts'

it.each([
  ['/', '/'],
  ['/r/chat%2Fmessages%3Acm_1', '/r/chat%2Fmessages%3Acm_1'],
  ['/owner/sessions?x=1', '/owner/sessions?x=1'],
  ['/a/../b', '/b'],
])('keeps a path of this server: %s', (input, path) => {
  expect(returnPath(input)).toBe(path)
})

it.each([
  undefined,
  '',
  'owner',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  '/x/..//evil.example',
  '/.//evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  ' //evil.example',
  'javascript:alert(1)',
  '/a\\..\\b',
  `/${'a'.repeat(3000)}`,
  '/owner/sign-in',
  '/owner/sign-in/link/x',
  '/owner/sign-out',
  '/\u202e/x',
])('replaces anything else by the start page: %j', (input) => {
  expect(returnPath(input)).toBe('/')
})

it('writes a path into the query of the sign-in page', () => {
  expect(returnQuery('/r/a%2Fb')).toBe('?return_to=%2Fr%2Fa%252Fb')
  expect(returnQuery('/')).toBe('')
})
