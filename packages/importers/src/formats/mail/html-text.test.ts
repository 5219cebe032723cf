import { expect, it } from 'vitest'
import { htmlText } from './html-text.ts'

it('gives what a person would read', () => {
  const html = `<html><head><title>No</title><style>p { color: red }</style></head><body>
    <!-- hidden <b>remark</b> --><p>Dear&nbsp;Mira,</p><p>2 &lt; 3 &amp; caf&eacute; &#8212; &#x1F600;</p>
    <ul><li>one</li><li>two <a href="https://x.example/?a>b">link</a></li></ul>
    <script>if (a < b) alert("no")</script><table><tr><td>a</td><td>b</td></tr></table>1 < 2</body></html>`
  expect(htmlText(html)).toBe('Dear Mira,\n\n2 < 3 & café — 😀\n\none\n\ntwo link\n\na b\n\n1 < 2')
})

it('does not slow down on what never ends', () => {
  const started = performance.now()
  for (const part of ['<!--', '<a href="', '<p', '&#', '<script>', '<', '"><'])
    expect(htmlText(part.repeat(100_000)).length).toBeLessThan(700_001)
  expect(performance.now() - started).toBeLessThan(4000)
})
