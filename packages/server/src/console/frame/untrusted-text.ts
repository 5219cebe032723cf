import { countChars, previewChars, splitHidden } from '@pdpp/protocol'
import { html } from 'hono/html'

/** The result of `html` for templates without promises. None of ours contains one. */
export type Markup = ReturnType<typeof html>

const NAME_CHARS = 200
/** More accents on one letter than any language uses. They would cover the lines above. */
const STACKED_ACCENTS = /(\p{M}{6})\p{M}+/gu

/**
 * Text that somebody else wrote must enter a page through this function. It limits the length, escapes HTML, isolates
 * the text direction, and shows hidden characters as visible signs.
 */
export function untrustedText(text: string, limit = NAME_CHARS): Markup {
  // Read only slightly more than can be shown, because some characters are dropped.
  const maxRead = 4 * limit + 4096
  const start = text.slice(0, maxRead).replace(STACKED_ACCENTS, '$1…') + (text.length > maxRead ? '…' : '')
  const parts = splitHidden(previewChars(start, limit)).map((part) =>
    'text' in part ? part.text : html`<span class="sign">${part.hidden}</span>`,
  )
  return html`<span class="theirs" dir="auto">${parts}</span>`
}

/** A search excerpt: highlights the matches that evidence.ts marked, and treats the rest like `untrustedText`. */
export function untrustedExcerpt(excerpt: string): Markup {
  const parts = excerpt.split(/<(\/?)mark>/)
  const shown = parts.flatMap((part, index) => {
    if (index % 2 === 1 || part === '') return []
    const text = splitHidden(part.replace(STACKED_ACCENTS, '$1…')).map((piece) =>
      'text' in piece ? piece.text : html`<span class="sign">${piece.hidden}</span>`,
    )
    // The part before a text is '' after an opening mark and '/' after a closing one.
    return parts[index - 1] === '' ? html`<mark>${text}</mark>` : html`${text}`
  })
  return html`<span class="theirs" dir="auto">${shown}</span>`
}

/** For places without markup, such as an option: removes hidden and direction-changing characters. */
export function plainText(text: string, limit = 60): string {
  return previewChars(text.slice(0, 4 * limit).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ''), limit)
}

/** Number of characters that `untrustedText` leaves out. */
export function leftOut(text: string, limit: number): number {
  return Math.max(0, countChars(text) - limit)
}
