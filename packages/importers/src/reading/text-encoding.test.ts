import { expect, it } from 'vitest'
import { memoryInput } from './memory-input.fixture.ts'
import { detectEncoding, encodingOf, looksLikeText } from './text-encoding.ts'

it('tells encodings by their mark, their zeros and their bytes', () => {
  expect(detectEncoding(Buffer.from('größe'))).toBe('utf-8')
  expect(detectEncoding(Buffer.from('größe'.repeat(9)).subarray(0, 4))).toBe('utf-8')
  expect(detectEncoding(Buffer.from('gr\u00f6\u00dfe', 'latin1'))).toBe('windows-1252')
  expect(detectEncoding(Buffer.from('\ufeffa', 'utf16le'))).toBe('utf-16le')
  expect(detectEncoding(Buffer.from('id,name\n1,x', 'utf16le'))).toBe('utf-16le')
})

it('tells text from pictures', () => {
  expect(looksLikeText(Buffer.from('a,b\n1,2'))).toBe(true)
  expect(looksLikeText(Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 1, 2, 3, 4]))).toBe(false)
})

it('looks for the first letter that tells, however late it comes', async () => {
  const plain = 'id,name\n'.repeat(200_000)
  const late = (encoding: BufferEncoding) =>
    memoryInput('names.csv', Buffer.concat([Buffer.from(plain), Buffer.from('gr\u00f6\u00dfe', encoding)]), 65_536)
  expect(await encodingOf(late('latin1'))).toBe('windows-1252')
  expect(await encodingOf(late('utf8'))).toBe('utf-8')
  expect(await encodingOf(memoryInput('names.csv', plain, 65_536))).toBe('utf-8')
})
