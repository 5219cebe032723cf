/**
 * A hash of 53 bits for a group of one edition. The edition is part of the hash, so a collision can only mix groups of
 * one feed. 0 means no group.
 */
export function groupHash(edition: number, group: string | null): number {
  if (group === null) return 0
  const text = `${edition}\0${group}`
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x9e3779b1)
    b = Math.imul(b ^ code, 0x5f356495)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return 2 ** 32 * (b & 0x1fffff) + (a >>> 0) || 1
}
