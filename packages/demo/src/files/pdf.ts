// A page of plain lines in a standard font. The bytes depend only on the lines, not on the machine.

const LINES_ON_A_PAGE = 50
const CHARS_IN_A_LINE = 92

/** True if the font's encoding contains all characters: Latin letters, except where it differs from Latin-1. */
export const fitsPdf = (text: string): boolean => /^[\n\x20-\x7e\xa0-\xff]*$/.test(text)

const shown = (line: string) =>
  line.replaceAll(/[\\()]|[^\x20-\x7e]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)

const wrapped = (line: string): string[] => {
  const rows = ['']
  for (const word of line.split(' ')) {
    if (rows.at(-1) && `${rows.at(-1)} ${word}`.length > CHARS_IN_A_LINE) rows.push('')
    rows[rows.length - 1] = rows.at(-1) ? `${rows.at(-1)} ${word}` : word
  }
  return rows
}

export const pdf = (lines: readonly string[]): Buffer => {
  const rows = lines.flatMap(wrapped)
  if (rows.length > LINES_ON_A_PAGE) throw new Error(`a page has ${LINES_ON_A_PAGE} lines, not ${rows.length}`)
  const content = `BT /F1 11 Tf 15 TL 56 790 Td ${rows.map((row) => `(${shown(row)}) Tj T*`).join('\n')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + table + end, 'latin1')
}
