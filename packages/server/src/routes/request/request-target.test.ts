import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestTarget } from './request-target.ts'

const parsed = (url: string) => {
  const { pathname, search, searchParams } = new URL(url)
  return { path: pathname, search, params: [...searchParams] }
}
const read = (url: string) => {
  const { path, search, params } = requestTarget(url)
  return { path, search, params: [...params] }
}

test.each([
  '/v1/streams/notes/records/n-1',
  '/v1/search?q=a+b&streams[]=notes&limit=10',
  '/v1/search?',
  '/v1/search?q=%22a%22&q=caf%C3%A9',
  '/v1/streams/a%2e%2e/records',
  '/v1/streams/../records',
  '/v1/streams/%2E%2E/records?q=..',
  '/v1//streams/',
  '/v1/streams/a.b/records/.hidden?x=/../',
  '/v1/search?q="é<>\'`{}|^#fragment',
  '/',
])('reads %s as a URL parser does', (target) => {
  expect(read(`http://localhost:4711${target}`)).toEqual(parsed(`http://localhost:4711${target}`))
})

test('reads any target as a URL parser does', () => {
  const piece = fc.constantFrom('a', 'Z', '9', '/', '.', '..', '%2e', '%', '?', '&', '=', '+', '[', ']', '#', ' ', '"', "'", '\\', 'é', ':', '@', ';', '|', '~', '\t') // biome-ignore format: a list
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const url = `http://direct/${pieces.join('')}`
      expect(read(url)).toEqual(parsed(url))
    }),
    { numRuns: 2000 },
  )
})
