import { execFileSync } from 'node:child_process'
import { commandLine, quoted } from '@pdpp/mcp-server/hosts'
import { expect, test } from 'vitest'
import { cutToWidth, displayWidth, padToWidth, wrap } from './width.ts'

test.each([
  ['abc', 3],
  ['né', 2],
  ['e\u0301', 1],
  ['\u001b[1mx\u001b[22m', 1],
  ['日本', 4],
  ['ｱ', 1],
  ['👩‍🚀', 2],
  ['☎️', 2],
  ['1️⃣', 2],
  ['™️', 2],
])('%j takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns)
})

test('a cut text ends in … and no character is split', () => {
  expect(cutToWidth('lighthouse', 6)).toBe('light…')
  expect(cutToWidth('日本語です', 6)).toBe('日本…')
  expect(cutToWidth('👩‍🚀👩‍🚀👩‍🚀', 5)).toBe('👩‍🚀👩‍🚀…')
  expect(displayWidth(padToWidth('日本', 6))).toBe(6)
})

test('lines break between words and keep their own breaks', () => {
  expect(wrap('one two three\nfour', 8)).toEqual(['one two', 'three', 'four'])
  expect(wrap('a-word-longer-than-the-line x', 8)).toEqual(['a-word-longer-than-the-line', 'x'])
})

test('a shell reads a quoted word back unchanged', () => {
  expect(quoted('chat/messages:cm_1')).toBe('chat/messages:cm_1')
  expect(quoted("it's $(rm) `x`")).toBe(`'it'\\''s $(rm) \`x\`'`)
  expect(quoted('')).toBe("''")
  expect(quoted('=ls')).toBe("'=ls'")
  expect(commandLine(['pdpp', 'read', 'record', 'notes/notes:50% what?'])).toBe(
    "pdpp read record 'notes/notes:50% what?'",
  )
})

test('quoting escapes control characters, and a shell reads them back', () => {
  const key = "notes/n:\u001b[2J it's \\ \u0007\u202e\n%2F"
  const word = quoted(key)
  expect(word).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  expect(execFileSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(key)
})
