/**
 * Record text, names and titles are third-party data. In rendered text what cannot be seen is made visible, so that
 * it can neither hide words from a person nor smuggle them to a model; `/v1` and structured data stay verbatim.
 */
const UNSEEN = /\p{Cc}|\p{Default_Ignorable_Code_Point}|\p{Cs}|[\u2028\u2029\ufff9-\ufffb\ufffe\uffff]/gu
/** Joiners are spelling in some scripts and build emoji; anywhere else, or doubled, they only hide. */
const JOINERS = new Set(['\u200c', '\u200d'])
const JOINABLE =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}]$/v
const SELECTORS = new Set(['\ufe0e', '\ufe0f'])
const SELECTABLE = /\p{Emoji}$/u

/** For running text: line breaks and tabs stay. */
export function safeText(text: string): string {
  return defused(escapeUnseen(text, '\n\t'))
}

/** For one line: every run of white space is one space. */
export function safeLine(text: string): string {
  return defused(escapeUnseen(text.replace(/[\s\u0085]+/gu, ' ').trim(), ''))
}

function escapeUnseen(text: string, kept: string): string {
  if (text.search(UNSEEN) === -1) return text
  return text.replace(UNSEEN, (char, offset: number) => {
    if (kept.includes(char)) return char
    if (char === '\r' && kept.includes('\n')) return text[offset + 1] === '\n' ? '' : '\n'
    if (JOINERS.has(char) && JOINABLE.test(before(text, offset))) return char
    if (SELECTORS.has(char) && SELECTABLE.test(before(text, offset))) return char
    return `\\u{${char.codePointAt(0)!.toString(16)}}`
  })
}

const before = (text: string, offset: number): string => text.slice(Math.max(0, offset - 2), offset)

/** A link or an image of a record's must not become one of ours. */
function defused(text: string): string {
  return text.includes('](') ? text.replaceAll('](', ']\\(') : text
}
