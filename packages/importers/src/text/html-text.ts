import { decodeHTML } from 'entities/decode'

/** Elements that start a new line. */
const BLOCKS = new Set(
  'address article aside blockquote body br center dd div dl dt fieldset figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th title tr ul'.split(
    ' ',
  ),
)
const HIDDEN = new Set(['head', 'script', 'style', 'template', 'noscript'])
/** Elements without an end tag. They cannot hide anything inside them. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Max. characters of a tag that are searched for a style. */
const MAX_TAG_CHARS = 4000

/** The text that a person would see in an HTML mail. One pass, so that no mail can make it slow. */
export function htmlText(html: string): string {
  const out: string[] = []
  const hidden = new HiddenPart()
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    const end = open === -1 ? html.length : open
    if (!hidden.isInside && end > at) out.push(decoded(html.slice(at, end).replace(/\s+/g, ' ')))
    if (open === -1) break
    if (html.startsWith('<!--', open)) {
      const close = html.indexOf('-->', open + 4)
      at = close === -1 ? html.length : close + 3
      continue
    }
    const close = tagEnd(html, open + 1)
    // `<!DOCTYPE html>` and `<?xml …?>` are for programs, not for readers.
    if (/^[!?][A-Za-z[]/.test(html.slice(open + 1, open + 3))) {
      at = close
      continue
    }
    const tag = /^(\/?)([A-Za-z][A-Za-z0-9]*)/.exec(html.slice(open + 1, open + 40))
    if (!tag) {
      // This is a plain character, not a tag: `a < b`.
      if (!hidden.isInside) out.push('<')
      at = open + 1
      continue
    }
    const name = tag[2]!.toLowerCase()
    const isEnd = tag[1] === '/'
    hidden.pass(name, isEnd, html.slice(open, Math.min(close, open + MAX_TAG_CHARS)))
    if (!hidden.isInside && BLOCKS.has(name)) out.push(name === 'td' || name === 'th' ? '\t' : '\n')
    at = close
  }
  return tidy(out.join(''))
}

/** Tracks an invisible element from its start tag to its end tag. */
class HiddenPart {
  #name: string | undefined
  /** Number of open elements with the same name, including the hidden one. */
  #depth = 0

  get isInside(): boolean {
    return this.#name !== undefined
  }

  pass(name: string, isEnd: boolean, tag: string): void {
    // A paragraph needs no end tag, because the next block ends it.
    if (this.#name === 'p' && !isEnd && BLOCKS.has(name)) this.#name = undefined
    if (this.#name === undefined) {
      if (isEnd || VOID.has(name) || !(HIDDEN.has(name) || isNotDisplayed(tag))) return
      this.#name = name
      this.#depth = 1
    } else if (name === this.#name) {
      // A script may contain its own start tag as text, so only other elements count as nested.
      if (isEnd) this.#depth--
      else if (!HIDDEN.has(name)) this.#depth++
      if (this.#depth === 0) this.#name = undefined
    }
  }
}

function isNotDisplayed(tag: string): boolean {
  const style = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag)
  const declarations = (style?.[1] ?? style?.[2] ?? style?.[3] ?? '').split(';')
  // The last declaration of `display` wins.
  const display = declarations.findLast((text) => /^\s*display\s*:/i.test(text))
  return display !== undefined && /:\s*none\b/i.test(display)
}

/** The position after the ">" that ends a tag. A ">" inside quotes does not count. */
function tagEnd(html: string, from: number): number {
  const plain = html.indexOf('>', from)
  if (plain === -1) return html.length
  const quote = /["']/.exec(html.slice(from, plain))
  if (!quote) return plain + 1
  let at = from + quote.index
  for (let inside: string | undefined; at < html.length; at++) {
    const char = html[at]!
    if (inside !== undefined) {
      if (char === inside) inside = undefined
    } else if (char === '"' || char === "'") inside = char
    else if (char === '>') return at + 1
    // An unclosed quote would swallow the rest of the mail.
    if (at - from > 20_000) return plain + 1
  }
  return plain + 1
}

/** Removes soft hyphens and non-joiners, which HTML mails use as invisible padding. */
function decoded(text: string): string {
  return text.includes('&') ? decodeHTML(text.replace(/&(?:shy|zwnj);?/g, '')) : text
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[ \t\u00a0\u2002\u2003\u2009]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
