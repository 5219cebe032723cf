/**
 * Record text, names and titles are third-party data. In rendered text what cannot be seen is made visible, so that
 * it can neither hide words from a person nor smuggle them to a model; `/v1` and structured data stay verbatim.
 */
const UNSEEN = /\p{Cc}|\p{Default_Ignorable_Code_Point}|\p{Cs}|[\u2028\u2029\ufff9-\ufffb]/gu
/** Joiners and presentation selectors have work to do after a letter, a mark or a picture; alone or doubled they hide. */
const JOINERS = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f'])
const JOINABLE = /[\p{L}\p{M}\p{S}\p{N}#*]$/u

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
    if (JOINERS.has(char) && JOINABLE.test(text.slice(Math.max(0, offset - 2), offset))) return char
    return `\\u{${char.codePointAt(0)!.toString(16)}}`
  })
}

/** A link or an image of a record's must not become one of ours. */
function defused(text: string): string {
  return text.includes('](') ? text.replaceAll('](', ']\\(') : text
}
