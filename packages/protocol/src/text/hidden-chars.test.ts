import { expect, it } from 'vitest'
import { escapeHidden, escapeStrings, splitHidden } from './hidden-chars.ts'
import { parseJson } from './json.ts'

const marked = (text: string) =>
  splitHidden(text)
    .map((part) => ('text' in part ? part.text : `<${part.hidden}>`))
    .join('')

it.each([
  ['invoice\u202egnp.exe', 'invoice<U+202E>gnp.exe'],
  ['pay\u200bpal', 'pay<U+200B>pal'],
  ['pay\u200dpal', 'pay<U+200D>pal'],
  ['a\u0000b\u001b[31mc\u007f\u0085', 'a<U+0000>b<U+001B>[31mc<U+007F><U+0085>'],
  ['tag\u{e0041}\u{e007f}', 'tag<U+E0041><U+E007F>'],
  ['\ufeffstart\u00ad\u2060\u3164', '<U+FEFF>start<U+00AD><U+2060><U+3164>'],
  ['\u2066isolate\u2069\u200f', '<U+2066>isolate<U+2069><U+200F>'],
  ['lone \ud800 surrogate', 'lone <U+D800> surrogate'],
  ['line\u2028separator', 'line<U+2028>separator'],
  ['selector\u{e0100}', 'selector<U+E0100>'],
])('names the hidden characters of %j', (text, shown) => {
  expect(marked(text)).toBe(shown)
})

it.each([
  'Plain text\n\twith lines',
  'Krähennest, 北京, עברית, العربية',
  '👩‍👩‍👧 ❤️‍🔥 🏃🏽‍♀️',
  'می‌خواهم',
  'क्‍ष',
  '\ufffc and \ufffd',
  '',
])('keeps characters that belong to the spelling: %j', (text) => {
  expect(splitHidden(text)).toEqual(text === '' ? [] : [{ text }])
})

it('escapes hidden characters but no spelling', () => {
  expect(escapeHidden('a\u202eb\u{e0041}c\u200bd\u0007')).toBe('a\\u{202e}b\\u{e0041}c\\u{200b}d\\u{7}')
  for (const text of ['line\r\n\tnext', '👩‍👩‍👧 ❤️', 'می‌خواهم', '葛\u{e0100}飾区', 'ᠠ\u180b'])
    expect(escapeHidden(text)).toBe(text)
  // A selector chooses one form of one letter. Several of them, or one elsewhere, can carry a message.
  expect(escapeHidden('葛\u{e0100}\u{e0101}')).toBe('葛\u{e0100}\\u{e0101}')
  expect(escapeHidden('🙂\ufe0f\ufe00\u{e0150}')).toBe('🙂\ufe0f\\u{fe00}\\u{e0150}')
})

it('escapes every string, and percent-encodes record ids', () => {
  const value = JSON.parse('{"id":"a\u202eb","data":{"n\u200b":["\u202e",1,null]},"record_key":"\u200b"}')
  expect(escapeStrings(value)).toEqual({
    id: 'a%E2%80%AEb',
    data: { 'n\\u{200b}': ['\\u{202e}', 1, null] },
    record_key: '%E2%80%8B',
  })
  const long = parseJson('{"n":12345678901234567890.10}')
  expect(JSON.stringify(escapeStrings(long))).toBe('{"n":12345678901234567890.10}')
})

it('escapes each character that it would split off', () => {
  const wrong: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    const text = `a${String.fromCodePoint(code)}b`
    const isSplit = splitHidden(text).some((part) => 'hidden' in part)
    if (code !== 13 && (escapeHidden(text) !== text) !== isSplit) wrong.push(code.toString(16))
  }
  expect(wrong).toEqual([])
})
