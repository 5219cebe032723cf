import { execFileSync } from 'node:child_process'
import { commandLine, quoted } from '@pdpp/mcp-server/hosts'
import { expect, test } from 'vitest'
import { cutToWidth, displayWidth, padToWidth, wrap } from './width.ts'

test('widths are those of a terminal: two for East Asian characters and pictures, none for marks', () => {
  expect(['abc', '日本', 'né', 'e\u0301', '👩‍🚀', '\u001b[1mx\u001b[22m'].map(displayWidth)).toEqual([3, 4, 2, 1, 2, 1])
})

test('what is cut is seen to be, and no character is split', () => {
  expect(cutToWidth('lighthouse', 6)).toBe('light…')
  expect(cutToWidth('日本語です', 6)).toBe('日本…')
  expect(cutToWidth('👩‍🚀👩‍🚀👩‍🚀', 5)).toBe('👩‍🚀👩‍🚀…')
  expect(displayWidth(padToWidth('日本', 6))).toBe(6)
})

test('lines break between words, and keep their own breaks', () => {
  expect(wrap('one two three\nfour', 8)).toEqual(['one two', 'three', 'four'])
  expect(wrap('a-word-longer-than-the-line x', 8)).toEqual(['a-word-longer-than-the-line', 'x'])
})

test('a word that is printed as part of a command comes back from a shell as it was', () => {
  expect(quoted('chat/messages:cm_1')).toBe('chat/messages:cm_1')
  expect(quoted("it's $(rm) `x`")).toBe(`'it'\\''s $(rm) \`x\`'`)
  expect(quoted('')).toBe("''")
  expect(quoted('=ls')).toBe("'=ls'")
  expect(commandLine(['pdpp', 'read', 'record', 'notes/notes:50% what?'])).toBe(
    "pdpp read record 'notes/notes:50% what?'",
  )
})

test('what a terminal would obey is written out in a command, and a shell still gets it back', () => {
  const key = "notes/n:\u001b[2J it's \\ \u0007\u202e\n%2F"
  const shown = quoted(key)
  expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  expect(execFileSync('bash', ['-c', `printf %s ${shown}`], { encoding: 'utf8' })).toBe(key)
})
