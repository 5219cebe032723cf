/** What a person would read of an HTML mail. One pass, so that no mail can make it slow. */
const BLOCKS = new Set(
  'address article aside blockquote body br center dd div dl dt fieldset figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th title tr ul'.split(
    ' ',
  ),
)
const HIDDEN = new Set(['head', 'script', 'style', 'template', 'noscript'])
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  sect: '§',
  deg: '°',
  plusmn: '±',
  middot: '·',
  bull: '•',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  times: '×',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  ecirc: 'ê',
  euml: 'ë',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  aring: 'å',
  aelig: 'æ',
  oslash: 'ø',
  ccedil: 'ç',
  ntilde: 'ñ',
  iacute: 'í',
  icirc: 'î',
  oacute: 'ó',
  ocirc: 'ô',
  uacute: 'ú',
  ucirc: 'û',
  ugrave: 'ù',
  zwnj: '',
  zwj: '\u200d',
  shy: '',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  rarr: '→',
  larr: '←',
  check: '✓',
}

export function htmlText(html: string): string {
  const out: string[] = []
  let hidden: string | undefined
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    const end = open === -1 ? html.length : open
    if (hidden === undefined && end > at) out.push(entities(html.slice(at, end).replace(/\s+/g, ' ')))
    if (open === -1) break
    if (html.startsWith('<!--', open)) {
      const close = html.indexOf('-->', open + 4)
      at = close === -1 ? html.length : close + 3
      continue
    }
    const close = tagEnd(html, open + 1)
    const tag = /^(\/?)([A-Za-z][A-Za-z0-9]*)/.exec(html.slice(open + 1, open + 40))
    if (!tag) {
      // A sign, not a tag: `a < b`.
      if (hidden === undefined) out.push('<')
      at = open + 1
      continue
    }
    const name = tag[2]!.toLowerCase()
    if (hidden === undefined && tag[1] === '' && HIDDEN.has(name)) hidden = name
    else if (hidden === name && tag[1] === '/') hidden = undefined
    else if (hidden === undefined && BLOCKS.has(name)) out.push(name === 'td' || name === 'th' ? '\t' : '\n')
    at = close
  }
  return tidy(out.join(''))
}

/** Behind the tag's ">", where one inside quotes does not count. */
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

function entities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));?/g, (match, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? match
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd'
  })
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[ \t\u00a0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
