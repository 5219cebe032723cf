import { fitsPdf, pdf } from './pdf.ts'
import { png } from './png.ts'

/** An attached file, and the text that can be extracted from it. */
export interface MadeFile {
  suffix: string
  mediaType: string
  bytes: Buffer
  text: string | null
}

/** A document as PDF if all its letters are Latin, otherwise as HTML, which supports every script. */
export const documentFile = (lines: readonly string[]): MadeFile => {
  const text = lines.join('\n')
  if (fitsPdf(text)) return { suffix: 'pdf', mediaType: 'application/pdf', bytes: pdf(lines), text }
  const page = `<!doctype html>\n<meta charset="utf-8">\n<title>${escaped(lines[0]!)}</title>\n${lines.map((line) => `<p>${escaped(line)}</p>\n`).join('')}`
  return { suffix: 'html', mediaType: 'text/html', bytes: Buffer.from(page), text }
}

const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The same lines as a table of two columns: "Total: 12 euros" becomes a name and a value. */
export const tableFile = (lines: readonly string[]): MadeFile => {
  const rows = lines.map((line) => {
    const [, name, value] = /^([^:]{1,40}): (.+)$/.exec(line) ?? ['', 'note', line]
    return `${cell(name!)},${cell(value!)}`
  })
  return csvFile(['entry,value', ...rows])
}

const cell = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const csvFile = (rows: readonly string[]): MadeFile => {
  const text = `${rows.join('\n')}\n`
  return { suffix: 'csv', mediaType: 'text/csv', bytes: Buffer.from(text), text }
}

export const pictureFile = (seed: string, text: string | null = null): MadeFile => ({
  suffix: 'png',
  mediaType: 'image/png',
  bytes: png(seed),
  text,
})
