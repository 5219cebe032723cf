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
export function theirs(text: string, limit = NAME_CHARS): Markup {
  // Only as much is looked at as can be shown, and then some for what is dropped.
  const most = 4 * limit + 4096
  const start = text.slice(0, most).replace(PILED_UP, '$1…') + (text.length > most ? '…' : '')
  const parts = splitHidden(previewChars(start, limit)).map((part) =>
    'text' in part ? part.text : html`<span class="sign">${part.hidden}</span>`,
  )
  return html`<span class="theirs" dir="auto">${parts}</span>`
}

/** How much of a text `theirs` leaves out. */
export function leftOut(text: string, limit: number): number {
  return Math.max(0, countChars(text) - limit)
}
