/** Symbols that look like a check mark or a seal. */
const SEALS = /[\u2611\u2705\u2713\u2714\u{1F5F8}\u{1F5F9}\u{2B50}\u{1F6E1}]\u{FE0F}?/gu
/** Words that claim a check, which a client cannot say about itself. */
const CLAIMS = /(?<![\p{L}\p{N}])(verified|official|officially|authentic|certified)(?![\p{L}\p{N}])/giu
/** Brackets and punctuation that remain around a removed word. */
const EMPTY_BRACKETS = /\(\s*\)|\[\s*\]|\{\s*\}/g
const LOOSE_ENDS = /^[\s,;:|·•–—-]+|[\s,;:|·•–—-]+$/gu

/**
 * Removes from a client's name everything that claims the name was checked, because nobody checks names. Undefined if
 * nothing is left.
 */
export function withoutClaims(name: string): string | undefined {
  const plain = name
    .normalize('NFKC')
    .replace(SEALS, '')
    .replace(CLAIMS, '')
    .replace(EMPTY_BRACKETS, '')
    .replace(/\s+/g, ' ')
    .replace(LOOSE_ENDS, '')
  return plain === '' ? undefined : plain
}
