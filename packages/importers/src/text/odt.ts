import type { ExtractedText } from './extract.ts'
import { localName, xmlProperties } from './properties.ts'
import { Sections } from './sections.ts'
import { readXml } from './xml-events.ts'
import { ZipParts } from './zip-parts.ts'

/** Headings of this level and above begin a section. */
const MAX_LEVEL = 2
/** Deleted text, note markers, and names of shapes. */
const HIDDEN = new Set(['tracked-changes', 'note-citation', 'desc', 'title', 'forms', 'sequence-decls'])

/** The text of an OpenDocument file, in sections by heading. Footnotes are in brackets at their place. */
export async function odtText(bytes: Buffer): Promise<ExtractedText> {
  const parts = await ZipParts.of(bytes)
  const content = await parts.text('content.xml')
  if (content === undefined) throw new Error('it has no text of an OpenDocument inside')
  const sections = new Sections()
  const about = await xmlProperties(await parts.text('meta.xml'))
  await readContent(content, sections)
  return sections.end({
    title: about.get('title'),
    author: about.get('initial-creator') ?? about.get('creator'),
    language: about.get('language'),
    createdAt: about.get('creation-date'),
    modifiedAt: about.get('date'),
  })
}

async function readContent(content: string, sections: Sections): Promise<void> {
  let [text, level, hidden, rows, notes] = ['', 0, 0, 0, 0]
  let isParagraph = false
  await readXml(content, {
    open(name, attributes) {
      const local = localName(name)
      if (HIDDEN.has(local)) hidden++
      if (local === 'note' || local === 'annotation') {
        notes++
        text += ' ('
      } else if (local === 'p' || local === 'h') {
        isParagraph = true
        if (notes === 0) level = local === 'h' ? Number(attributes['text:outline-level'] ?? 1) : 0
      } else if (local === 'table-row') rows++
      else if (local === 'tab') text += '\t'
      else if (local === 'line-break') text += '\n'
      else if (local === 's') text += ' '.repeat(Math.min(100, Number(attributes['text:c']) || 1))
    },
    text(piece) {
      if (isParagraph && hidden === 0) text += piece.replace(/\s+/g, ' ')
    },
    close(name) {
      const local = localName(name)
      if (HIDDEN.has(local)) hidden--
      if (local === 'note' || local === 'annotation') {
        notes--
        text = `${text.trimEnd()})`
      } else if (local === 'table-cell') text = `${text.trimEnd()}\t`
      else if (local === 'table-row') rows--
      else if (local === 'p' || local === 'h') {
        if (notes > 0 || rows > 0) text += ' '
        isParagraph = notes > 0
      }
      const isLine = notes === 0 && rows === 0 && (local === 'p' || local === 'h' || local === 'table-row')
      if (!isLine || hidden > 0) return
      if (level > 0 && level <= MAX_LEVEL && text.trim() !== '') sections.heading(text)
      else sections.add(text.trimEnd())
      ;[text, level] = ['', 0]
    },
  })
}
