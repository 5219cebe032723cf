import type { ExtractedText, TextSection } from './extract.ts'
import { htmlHeading } from './html-document.ts'
import { htmlText } from './html-text.ts'
import { localName, xmlProperties } from './properties.ts'
import { tidy } from './sections.ts'
import { readXml } from './xml-events.ts'
import { ZipParts } from './zip-parts.ts'

/** Max. characters of a book. The longest novels have a fifth of that. */
const MAX_CHARS = 20_000_000

/** The text of a book, one section per part, in reading order. */
export async function epubText(bytes: Buffer): Promise<ExtractedText> {
  const parts = await ZipParts.of(bytes)
  const path = await packagePath(parts)
  const book = path === undefined ? undefined : await parts.text(path)
  if (path === undefined || book === undefined) throw new Error('it has no book inside')
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const sections: TextSection[] = []
  let [chars, problem]: [number, string | undefined] = [0, undefined]
  for (const [at, href] of (await readingOrder(book)).entries()) {
    const html = await parts.text(resolved(folder, href))
    if (html === undefined) problem ??= `lacks its part ${href.slice(0, 100)}`
    const text = tidy(htmlText(html ?? ''))
    chars += text.length
    if (chars > MAX_CHARS) {
      problem = `has a text of more than ${MAX_CHARS} characters; the rest is not imported`
      break
    }
    if (text !== '') sections.push({ position: at + 1, title: htmlHeading(html!), text })
  }
  const about = await xmlProperties(book)
  return {
    text: sections.map((section) => section.text).join('\n\n'),
    sections,
    title: about.get('title'),
    author: about.get('creator'),
    language: about.get('language'),
    createdAt: about.get('date'),
    problem,
  }
}

async function packagePath(parts: ZipParts): Promise<string | undefined> {
  let path: string | undefined
  await readXml((await parts.text('META-INF/container.xml')) ?? '<none/>', {
    open(name, attributes) {
      if (localName(name) === 'rootfile') path ??= attributes['full-path']
    },
  })
  return path ?? parts.names.find((name) => name.endsWith('.opf'))
}

/** The spine gives the reading order, not the order of the files. */
async function readingOrder(book: string): Promise<string[]> {
  const hrefs = new Map<string, string>()
  const order: string[] = []
  await readXml(book, {
    open(name, { id, href, idref, properties = '' }) {
      const local = localName(name)
      if (local === 'item' && id !== undefined && href !== undefined && !/\bnav\b/.test(properties)) hrefs.set(id, href)
      else if (local === 'itemref' && idref !== undefined) order.push(idref)
    },
  })
  return order.flatMap((id) => hrefs.get(id) ?? [])
}

function resolved(folder: string, href: string): string {
  const parts = folder.split('/').filter((part) => part !== '')
  for (const part of safelyDecoded(href.split('#', 1)[0]!).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

function safelyDecoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
