/**
 * Characters that a reader cannot see or that turn text around: controls, bidirectional controls, zero-width and tag
 * characters, fillers, selectors, lone surrogates. Whoever shows text of others marks them instead of obeying them.
 */
const CONTROL = '[\\p{Cc}--[\\n\\t]]'
const INVISIBLE =
  '[\\p{Bidi_Control}\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2028\\u2029\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\ufffe\\uffff\\u{e0000}-\\u{e0fff}\\p{Cs}]'
/** Joiners are spelling in some scripts and build emoji; anywhere else they only hide. */
const JOINED =
  '(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mong}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Khmr}\\p{sc=Mymr}])[\\u200c\\u200d]'
const HIDDEN = new RegExp(`${CONTROL}|${INVISIBLE}|${JOINED}`, 'gv')

export type TextPart = { readonly text: string } | { readonly hidden: string }

/** A text in parts: what can be shown as it is, and hidden characters by their names, such as `U+202E`. */
export function splitHidden(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ hidden: nameOf(match[0]) })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

function nameOf(char: string): string {
  return `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
