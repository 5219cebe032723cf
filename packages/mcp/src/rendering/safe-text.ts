import { escapeHidden } from '@pdpp/protocol/reading'

/**
 * Record text, names and titles are third-party data. Hidden characters are escaped, so that they can neither hide
 * words from a person nor pass words to a model unseen. Links in record text are broken up.
 */

/** Makes running text safe. Keeps line breaks and tabs. */
export function safeText(text: string): string {
  return defused(escapeHidden(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text))
}

/** Makes text safe and puts it on one line. */
export function safeLine(text: string): string {
  return defused(escapeHidden(text.replace(/[\s\u0085]+/gu, ' ').trim()))
}

/** Breaks Markdown links and images, because hosts would show them as ours. */
function defused(text: string): string {
  return text.includes('](') ? text.replaceAll('](', ']\\(') : text
}
