const MARKDOWN = /\.(md|markdown|mdown|mkd|mdx|qmd)$/i
const PLAIN = /\.(txt|text|org|rst|adoc)$/i
/** If less than this share of a text is letters and spaces, it is data, not prose. */
const MIN_LETTERS = 0.7

/** True if the name is that of a note, and false for the files that belong to notes. */
export const isNoteName = (name: string): boolean =>
  MARKDOWN.test(name) || PLAIN.test(name) || !/\.[A-Za-z0-9]{1,8}$/.test(name)

/**
 * Recognises notes. Bytes alone do not identify prose, so the extension must be that of a text, and the text must not
 * be data of another kind.
 */
export function isNoteText(name: string, text: string): boolean {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  // An empty note still has a name, and other notes may link to it.
  if (MARKDOWN.test(name)) return true
  if (start === '' || !isNoteName(name)) return false
  if (hasFrontMatter(start)) return true
  if (isData(start)) return false
  return PLAIN.test(name) ? isProse(start) : /^#{1,6} \S/.test(start)
}

const hasFrontMatter = (start: string): boolean => /^---[ \t]*\r?\n[\w -]{1,60}:[ \t\r\n]/.test(start)

/** True for JSON, XML, vCards and similar line formats, bank statements, and Kindle clippings. */
const isData = (start: string): boolean =>
  /^(?:[{[<]|BEGIN\s*:|%PDF|#!|OFXHEADER|!Type:|:\d{2}[A-Z]?:)/.test(start) || /^={10}\r?$/m.test(start)

function isProse(start: string): boolean {
  const sample = start.slice(0, 8192)
  const letters = sample.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0
  return letters / [...sample].length >= MIN_LETTERS && !isTable(sample)
}

/** True if every line has the same number of cells. */
function isTable(sample: string): boolean {
  const lines = sample.split(/\r?\n/).slice(0, 20)
  const full = lines.slice(0, sample.length < 8192 ? undefined : -1).filter((line) => line.trim() !== '')
  return ['\t', ';', '|', ','].some((delimiter) => {
    const counts = full.map((line) => line.split(delimiter).length)
    return full.length > 1 && counts[0]! > 1 && counts.every((count) => count === counts[0])
  })
}
