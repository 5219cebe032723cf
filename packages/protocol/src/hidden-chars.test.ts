import { expect, it } from 'vitest'
import { splitHidden } from './hidden-chars.ts'

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
])('shows what is hidden in %j', (text, shown) => {
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
])('leaves alone what is spelling: %j', (text) => {
  expect(splitHidden(text)).toEqual(text === '' ? [] : [{ text }])
})
