/** Marks that look as if somebody had checked something. */
const TICKS = /[\u2611\u2705\u2713\u2714\u{1F5F8}\u{1F5F9}\u{2B50}\u{1F6E1}]\u{FE0F}?/gu
/** Words that only whoever checks may say. */
const CLAIMS = /(?<![\p{L}\p{N}])(verified|official|officially|authentic|certified)(?![\p{L}\p{N}])/giu
/** What is left around a word that was taken out. */
const EMPTY_BRACKETS = /\(\s*\)|\[\s*\]|\{\s*\}/g
const LOOSE_ENDS = /^[\s,;:|·•–—-]+|[\s,;:|·•–—-]+$/gu

/** A name that a client chose, without what says that it was checked: nobody checks names. Undefined when nothing is left. */
export function withoutClaims(name: string): string | undefined {
  const plain = name
    .normalize('NFKC')
    .replace(TICKS, '')
    .replace(CLAIMS, '')
    .replace(EMPTY_BRACKETS, '')
    .replace(/\s+/g, ' ')
    .replace(LOOSE_ENDS, '')
  return plain === '' ? undefined : plain
}
