import { previewChars } from '@pdpp/protocol'

const EXCERPT_CHARS = 80

/** Enough of a bad value to find it, on one line. */
export function excerpt(text: string): string {
  return previewChars(text.slice(0, 1000).replace(/\s+/g, ' ').trim(), EXCERPT_CHARS)
}
