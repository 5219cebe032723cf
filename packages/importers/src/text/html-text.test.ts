import { expect, it } from 'vitest'
import { htmlText } from './html-text.ts'

it('gives what a person would read', () => {
  const html = `<html><head><title>No</title><style>p { color: red }</style></head><body>
    <!-- hidden <b>remark</b> --><p>Dear&nbsp;Mira,</p><p>2 &lt; 3 &amp; caf&eacute; &#8212; &#x1F600;</p>
    <ul><li>one</li><li>two <a href="https://x.example/?a>b">link</a></li></ul>
    <script>if (a < b) alert("no")</script><table><tr><td>a</td><td>b</td></tr></table>1 < 2</body></html>`
  expect(htmlText(html)).toBe('Dear Mira,\n\n2 < 3 & café — 😀\n\none\n\ntwo link\n\na b\n\n1 < 2')
})

it('reads every named and numeric entity of HTML', () => {
  const html =
    '<p>&Zcaron;i&scaron;ka &ne; &frac12; &#150; &CounterClockwiseContourIntegral; a&shy;b&zwnj; &ensp;c &unknown;</p>'
  expect(htmlText(html)).toBe('Žiška ≠ ½ – ∳ ab c &unknown;')
})

it.each([
  ['a preheader', '<div style="color:red; DISPLAY : none">no<div>no</div>no</div>yes', 'yes'],
  ['without quotes', '<span style=display:none>no</span>yes', 'yes'],
  ['a later declaration', '<p style="display:none;display:block">yes</p>', 'yes'],
  ['an element without end', '<img style="display:none">yes', 'yes'],
  ['a paragraph that the next one ends', '<p style="display:none">no<p>yes</p>', 'yes'],
  ['a nested table', "<td style='display:none'><table><td>no</td></table>no</td>yes", 'yes'],
])('hides what is not displayed: %s', (_name, html, text) => {
  expect(htmlText(html)).toBe(text)
})

it('does not slow down on what never ends', () => {
  const started = performance.now()
  for (const part of ['<!--', '<a href="', '<p', '&#', '<script>', '<', '"><'])
    expect(htmlText(part.repeat(100_000)).length).toBeLessThan(700_001)
  expect(performance.now() - started).toBeLessThan(4000)
})
