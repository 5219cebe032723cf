import { expect, it } from 'vitest'
import { leftOut, untrustedText } from './untrusted-text.ts'

it.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</span></main><form action=https://evil.example>',
  '&lt;script&gt;',
  '<!--',
])('renders %j inert', async (text) => {
  const shown = String(await untrustedText(text))
  const inside = shown.slice('<span class="theirs" dir="auto">'.length, -'</span>'.length)
  expect(inside).not.toMatch(/[<>"']/)
  expect(
    inside
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  ).toBe(text)
})

it('shows hidden and direction-changing characters as signs', async () => {
  expect(String(await untrustedText('Bank\u202eknaB\u0000'))).toBe(
    '<span class="theirs" dir="auto">Bank<span class="sign">U+202E</span>knaB<span class="sign">U+0000</span></span>',
  )
})

it('limits the length, even of hidden characters and accents', async () => {
  expect(String(await untrustedText('x'.repeat(10_000))).length).toBeLessThan(300)
  expect(String(await untrustedText('\u202e'.repeat(10_000))).length).toBeLessThan(8000)
  expect(String(await untrustedText(`a${'\u0301'.repeat(1000)}b`))).toContain(`a${'\u0301'.repeat(6)}…b<`)
  expect(String(await untrustedText(`a${'\u0301'.repeat(10_000)}b`))).toContain(`a${'\u0301'.repeat(6)}……<`)
  expect(leftOut('abc', 2)).toBe(1)
  expect(leftOut('🦊🦊', 2)).toBe(0)
})
