import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contentDisposition, safeFileName } from './file-name.ts'

it.each([
  ['report.pdf', 'report.pdf'],
  ['Grüße 2025.txt', 'Grüße 2025.txt'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\Windows\\x.exe', 'C__Windows_x.exe'],
  ['.bashrc', 'bashrc'],
  ['a\r\nSet-Cookie: x=1', 'a__Set-Cookie_ x=1'],
  ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
  ['a"b.txt', 'a_b.txt'],
  ['NUL.txt', '_NUL.txt'],
  ['con', '_con'],
  ['trailing. . .', 'trailing'],
  ['\u0000\u0001', 'blob-1.png'],
  ['...', 'blob-1.png'],
  ['', 'blob-1.png'],
  [undefined, 'blob-1.png'],
  [`${'x'.repeat(400)}.docx`, `${'x'.repeat(145)}.docx`],
  [`${'👩'.repeat(400)}.md`, `${'👩'.repeat(147)}.md`],
])('%j is saved as %s', (given, expected) => expect(safeFileName(given, 'blob-1', 'image/png')).toBe(expected))

it('the header is safe and preserves every name', () => {
  expect(contentDisposition('attachment', 'report.pdf')).toBe('attachment; filename="report.pdf"')
  expect(contentDisposition('inline', "Grüße (1)'.txt")).toBe(
    `inline; filename="Gr__e (1)'.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%281%29%27.txt`,
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
      const name = safeFileName(given, 'blob-1', 'x/y')
      const header = contentDisposition('attachment', name)
      expect(header).toMatch(/^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]+"(; filename\*=UTF-8''[\w%.~-]+)?$/)
      expect([...name].length).toBeLessThanOrEqual(151)
      expect(name).not.toMatch(/[/\\\p{C}]|^\.|\.$/u)
      const encoded = /''(.+)$/.exec(header)?.[1]
      expect(encoded === undefined ? name : decodeURIComponent(encoded)).toBe(name)
    }),
    { numRuns: 500 },
  )
})
