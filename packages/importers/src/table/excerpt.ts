import { previewChars } from '@pdpp/protocol'

const EXCERPT_CHARS = 80

/** The beginning of an invalid value on one line, so that the owner can find it. */
export function excerpt(text: string): string {
  return previewChars(text.slice(0, 1000).replace(/\s+/g, ' ').trim(), EXCERPT_CHARS)
}
