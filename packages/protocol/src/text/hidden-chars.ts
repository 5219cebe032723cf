/**
 * Characters that are invisible or reorder text: controls, bidirectional controls, zero-width and tag characters,
 * fillers, selectors and lone surrogates. Surfaces that show untrusted text mark them instead of applying them.
 */
const UNSEEN = /\p{Cc}|\p{Default_Ignorable_Code_Point}|\p{Cs}|[\u2028\u2029\ufff9-\ufffb\ufffe\uffff]/gu
/**
 * Everything but the usual letters and punctuation. A text without any of these has nothing to escape. This class of
 * single units is several times as fast as the properties above.
 */
const UNUSUAL =
  /[^\n\r\t\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u061b\u061d-\u115e\u2010-\u2027\u2030-\u205f\u2070-\u3163\u3165-\ud7ff]/
/** The hidden characters of ASCII. Looking for each of them alone is many times as fast as looking for a class. */
const HIDDEN_ASCII = [...Array(0x20).keys(), 0x7f]
  .map((code) => String.fromCharCode(code))
  .filter((char) => UNUSUAL.test(char))
/** Joiners belong to the spelling of some scripts and of emoji. Anywhere else, or doubled, they only hide something. */
const JOINER = /[\u200c\u200d]/
const JOINABLE =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}]$/v
/**
 * A variation selector chooses a form of the emoji, Han or Mongolian letter before it. A second selector is hidden
 * content.
 */
const SELECTED: readonly [selector: RegExp, after: RegExp][] = [
  [/[\ufe0e\ufe0f]/, /\p{Emoji}$/u],
  [/[\ufe00-\ufe02\u{e0100}-\u{e01ef}]/u, /\p{sc=Han}$/u],
  [/[\u180b-\u180d\u180f]/, /\p{sc=Mong}$/u],
]
const LINES = '\n\t'

export type TextPart = { readonly text: string } | { readonly hidden: string }

/** Splits a text into visible parts and the names of hidden characters, such as `U+202E`. */
export function splitHidden(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(UNSEEN)) {
    if (!isHidden(match[0], text, match.index, LINES)) continue
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ hidden: nameOf(match[0]) })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

/**
 * True if `escapeStrings` changes nothing in the value of this JSON text, so that the text can be sent as it is.
 * Control characters and lone surrogates are escapes in JSON; a text with such escapes counts as not plain. `bytes` is
 * the size of the text, if it is known: ASCII is checked faster.
 */
export function isPlainJson(text: string, bytes?: number): boolean {
  if (text.includes('\\') && /\\[ubf]/.test(text)) return false
  if (bytes === text.length) return !HIDDEN_ASCII.some((char) => text.includes(char))
  if (!UNUSUAL.test(text)) return true
  for (const match of text.matchAll(UNSEEN)) if (isHidden(match[0], text, match.index, `${LINES}\r`)) return false
  return true
}

/** Writes hidden characters as escapes, such as `\u{202e}`. Line breaks and tabs stay. */
export function escapeHidden(text: string): string {
  return replaceHidden(text, (char) => `\\u{${codeOf(char)}}`)
}

/**
 * Members that identify a record. Hidden characters in them are percent-encoded, as in result ids, so that the ids
 * still resolve.
 */
const HANDLES: ReadonlySet<string> = new Set(['id', 'record_key', 'record_id'])

/** Escapes hidden characters in every string of a JSON value, including member names. */
export function escapeStrings(value: unknown, name?: string): unknown {
  if (typeof value === 'string')
    return name !== undefined && HANDLES.has(name) ? replaceHidden(value, encoded) : escapeHidden(value)
  if (value === null || typeof value !== 'object' || JSON.isRawJSON(value)) return value
  if (Array.isArray(value)) return value.map((item) => escapeStrings(item, name))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [escapeHidden(key), escapeStrings(member, key)]),
  )
}

function replaceHidden(text: string, write: (char: string) => string): string {
  if (!UNUSUAL.test(text)) return text
  return text.replace(UNSEEN, (char, at: number) => (isHidden(char, text, at, `${LINES}\r`) ? write(char) : char))
}

function isHidden(char: string, text: string, at: number, kept: string): boolean {
  if (kept.includes(char)) return false
  const before = text.slice(Math.max(0, at - 2), at)
  if (JOINER.test(char)) return !JOINABLE.test(before)
  return !SELECTED.some(([selector, after]) => selector.test(char) && after.test(before))
}

/** A lone surrogate has no UTF-8 bytes to percent-encode. */
function encoded(char: string): string {
  return char.isWellFormed() ? encodeURIComponent(char) : `%25u${codeOf(char)}`
}

const codeOf = (char: string): string => char.codePointAt(0)!.toString(16)
const nameOf = (char: string): string => `U+${codeOf(char).toUpperCase().padStart(4, '0')}`
