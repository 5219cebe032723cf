import type { ExtractedText } from './extract.ts'
import { localName, xmlProperties } from './properties.ts'
import { Sections } from './sections.ts'
import { readXml } from './xml-events.ts'
import { ZipParts } from './zip-parts.ts'

/** Parts of the document in addition to the main text: their name, and the title of their section. */
const FURTHER_PARTS = [
  ['footnotes', 'Footnotes'],
  ['endnotes', 'Endnotes'],
  ['comments', 'Comments'],
] as const
/** Headings of this level and above begin a section. */
const MAX_LEVEL = 2
/** Tab stops, moved text, fallback versions of text boxes, and field codes. Deleted text has another element. */
const HIDDEN = new Set(['tabs', 'moveFrom', 'Fallback', 'instrText', 'del'])

/** The text of a Word document with its notes and comments, in sections by heading. */
export async function docxText(bytes: Buffer): Promise<ExtractedText> {
  const parts = await ZipParts.of(bytes)
  const main = await mainPart(parts)
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const body = await parts.text(main)
  if (body === undefined) throw new Error('it has no text of a Word document inside')
  const sections = new Sections()
  const levels = await headingLevels(await parts.text(`${folder}styles.xml`))
  await readParagraphs(body, ({ text, style }) => {
    if ((levels.get(style) ?? 9) <= MAX_LEVEL && text.trim() !== '') sections.heading(text)
    else sections.add(text)
  })
  for (const [name, title] of FURTHER_PARTS) {
    const part = await parts.text(`${folder}${name}.xml`)
    const texts: string[] = []
    if (part !== undefined) await readParagraphs(part, ({ text }) => texts.push(text))
    if (texts.every((text) => text.trim() === '')) continue
    sections.heading(title)
    for (const text of texts) sections.add(text)
  }
  const about = await xmlProperties(await parts.text('docProps/core.xml'))
  return sections.end({
    title: about.get('title'),
    author: about.get('creator'),
    language: about.get('language'),
    createdAt: about.get('created'),
    modifiedAt: about.get('modified'),
  })
}

/** `word/document.xml`, or the name that the relations of the package give. */
async function mainPart(parts: ZipParts): Promise<string> {
  let found = 'word/document.xml'
  const relations = await parts.text('_rels/.rels')
  if (relations !== undefined)
    await readXml(relations, {
      open(_name, { Type: type = '', Target: target = '' }) {
        if (type.endsWith('/officeDocument')) found = target.replace(/^\//, '')
      },
    })
  return found
}

/** The level of each heading style. The style's id is in the writer's language, but its name is English. */
async function headingLevels(styles: string | undefined): Promise<ReadonlyMap<string, number>> {
  const levels = new Map<string, number>([['Title', 1]])
  let style = ''
  if (styles !== undefined)
    await readXml(styles, {
      open(name, attributes) {
        if (localName(name) === 'style') style = attributeOf(attributes, 'styleId')
        const level = /^heading (\d)$/i.exec(attributeOf(attributes, 'val'))?.[1]
        if (localName(name) === 'name' && level !== undefined) levels.set(style, Number(level))
      },
    })
  return levels
}

const attributeOf = (attributes: Readonly<Record<string, string>>, name: string): string =>
  Object.entries(attributes).find(([key]) => localName(key) === name)?.[1] ?? ''

interface Paragraph {
  readonly text: string
  readonly style: string
}

/** Calls `take` for the paragraphs in order. The cells of a row become one line. */
async function readParagraphs(xml: string, take: (paragraph: Paragraph) => void): Promise<void> {
  let [text, style, hidden, rows] = ['', '', 0, 0]
  let isText = false
  await readXml(xml, {
    open(name, attributes) {
      const local = localName(name)
      if (HIDDEN.has(local)) hidden++
      if (local === 't') isText = true
      else if (local === 'tr') rows++
      else if (local === 'pStyle') style = attributeOf(attributes, 'val')
      else if (hidden === 0 && local === 'tab') text += '\t'
      else if (hidden === 0 && (local === 'br' || local === 'cr')) text += '\n'
    },
    text(piece) {
      if (isText && hidden === 0) text += piece
    },
    close(name) {
      const local = localName(name)
      if (HIDDEN.has(local)) hidden--
      if (local === 't') isText = false
      else if (local === 'tc') text = `${text.trimEnd()}\t`
      else if (local === 'p' && rows > 0) text += ' '
      else if (local === 'tr') rows--
      if ((local === 'p' && rows === 0) || (local === 'tr' && rows === 0)) {
        take({ text: text.trimEnd(), style })
        ;[text, style] = ['', '']
      }
    },
  })
}
