import { escapeHidden } from '@pdpp/protocol/reading'

/**
 * Record text, names and titles are third-party data. What cannot be seen is written out, so that it can neither hide
 * words from a person nor smuggle them to a model. In a text, line breaks and links of theirs do not become ours either.
 */

/** For running text: line breaks and tabs stay. */
export function safeText(text: string): string {
  return defused(escapeHidden(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text))
}

/** For one line: every run of white space is one space. */
export function safeLine(text: string): string {
  return defused(escapeHidden(text.replace(/[\s\u0085]+/gu, ' ').trim()))
}

/** A link or an image of a record's must not become one of ours. */
function defused(text: string): string {
  return text.includes('](') ? text.replaceAll('](', ']\\(') : text
}
