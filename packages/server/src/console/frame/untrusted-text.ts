import { countChars, previewChars, splitHidden } from '@pdpp/protocol'
import { html } from 'hono/html'

/** What `html` gives back for templates without promises, which all of ours are. */
export type Markup = ReturnType<typeof html>

const NAME_CHARS = 200
/** More accents on one letter than any language has would climb over the lines above. */
const PILED_UP = /(\p{M}{6})\p{M}+/gu

/**
 * Text that came from somebody else, the only way into a page: bounded, escaped, set apart from the direction of
 * what stands around it, and with hidden characters shown as signs instead of obeyed.
 */
export function untrustedText(text: string, limit = NAME_CHARS): Markup {
  // Only as much is looked at as can be shown, and then some for what is dropped.
  const most = 4 * limit + 4096
  const start = text.slice(0, most).replace(PILED_UP, '$1…') + (text.length > most ? '…' : '')
  const parts = splitHidden(previewChars(start, limit)).map((part) =>
    'text' in part ? part.text : html`<span class="sign">${part.hidden}</span>`,
  )
  return html`<span class="theirs" dir="auto">${parts}</span>`
}

/** An excerpt with our own marks around what matched (evidence.ts), shown as marks; all else as `theirs`. */
export function theirsMarked(excerpt: string): Markup {
  const parts = excerpt.split(/<(\/?)mark>/)
  const shown = parts.flatMap((part, index) => {
    if (index % 2 === 1 || part === '') return []
    const text = splitHidden(part.replace(PILED_UP, '$1…')).map((piece) =>
      'text' in piece ? piece.text : html`<span class="sign">${piece.hidden}</span>`,
    )
    // Before every text but the first stands what opened or closed a mark.
    return parts[index - 1] === '' ? html`<mark>${text}</mark>` : html`${text}`
  })
  return html`<span class="theirs" dir="auto">${shown}</span>`
}

/** Where no markup can stand, as in an option: without hidden and turning characters. */
export function plainText(text: string, limit = 60): string {
  return previewChars(text.slice(0, 4 * limit).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ''), limit)
}

/** How much of a text `theirs` leaves out. */
export function leftOut(text: string, limit: number): number {
  return Math.max(0, countChars(text) - limit)
}
