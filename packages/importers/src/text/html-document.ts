import { isUtf8 } from 'node:buffer'
import type { ExtractedText } from './extract.ts'
import { htmlText } from './html-text.ts'
import { Sections } from './sections.ts'

/** Elements that are not part of a page's text. */
const NOT_PAGE_TEXT = ['script', 'style', 'template', 'noscript', 'nav']

/** The text of a page, in sections by its headings of level 1 and 2. */
export async function htmlDocument(bytes: Buffer): Promise<ExtractedText> {
  const html = NOT_PAGE_TEXT.reduce(without, decodedHtml(bytes))
  const sections = new Sections()
  for (const piece of html.split(/(?=<h[12][\s>])/i)) {
    const heading = /^<h[12]\b[^>]{0,2000}>([\s\S]{0,2000}?)<\/h[12]\s*>/i.exec(piece)
    const title = heading && htmlText(heading[1]!).replace(/\s+/g, ' ')
    if (title) sections.heading(title)
    const text = htmlText(heading ? piece.slice(heading[0].length) : piece)
    if (text !== '') sections.add(text)
  }
  return sections.end({
    title: titleOf(html),
    author: metaOf(html, 'author'),
    language: /<html\b[^>]{0,2000}\slang\s*=\s*["']?([\w-]{2,20})/i.exec(html.slice(0, 10_000))?.[1],
    createdAt: metaOf(html, 'date') ?? metaOf(html, 'article:published_time'),
  })
}

/** The first heading of a page, or its title. */
export function htmlHeading(html: string): string | undefined {
  const heading = /<h[1-3]\b[^>]{0,2000}>([\s\S]{0,2000}?)<\/h[1-3]\s*>/i.exec(html)?.[1]
  return (heading && htmlText(heading).replace(/\s+/g, ' ')) || titleOf(html)
}

function titleOf(html: string): string | undefined {
  const title = /<title\b[^>]{0,500}>([^<]{1,2000})<\/title/i.exec(html.slice(0, 200_000))?.[1]
  return (title && htmlText(title).replace(/\s+/g, ' ')) || undefined
}

function metaOf(html: string, name: string): string | undefined {
  for (const [tag] of html.slice(0, 200_000).matchAll(/<meta\s[^>]{1,2000}>/gi)) {
    if (!new RegExp(`(?:name|property)\\s*=\\s*["']${name}["']`, 'i').test(tag)) continue
    const content = /content\s*=\s*"([^"]{1,500})"/i.exec(tag)?.[1]
    if (content) return htmlText(content)
  }
  return
}

/** Removes an element in one pass. An element without an end tag stays, and the tag reader hides it. */
function without(html: string, name: string): string {
  const start = new RegExp(`<${name}(?=[\\s>])`, 'gi')
  const end = new RegExp(`</${name}\\s*>`, 'gi')
  const kept: string[] = []
  let from = 0
  for (let open = start.exec(html); open; open = start.exec(html)) {
    end.lastIndex = open.index
    const close = end.exec(html)
    if (!close) break
    kept.push(html.slice(from, open.index), ' ')
    from = close.index + close[0].length
    start.lastIndex = from
  }
  return kept.join('') + html.slice(from)
}

/**
 * The encoding comes from the byte order mark, otherwise from the page itself, otherwise UTF-8 if the bytes are valid.
 */
export function decodedHtml(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (isUtf8(bytes)) return new TextDecoder('utf-8').decode(bytes)
  const declared = /<meta\b[^>]{0,500}charset\s*=\s*["']?([\w-]{2,30})/i.exec(
    bytes.subarray(0, 4096).toString('latin1'),
  )?.[1]
  try {
    return new TextDecoder(declared ?? 'windows-1252').decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
