import type { RankPosition } from './top-ranks.ts'

const BYTES = 41

/** A position in always the same number of characters: a longer number would tell of hidden records. */
export function packRank({ isHead, grains, time, feed, number, rank }: RankPosition): string {
  const bytes = Buffer.alloc(BYTES)
  bytes.writeUInt8(isHead ? 1 : 0, 0)
  for (const [at, value] of [grains, time, feed, number, rank].entries()) bytes.writeDoubleBE(value, 1 + at * 8)
  return bytes.toString('base64url')
}

export function unpackRank(packed: string): RankPosition {
  const bytes = Buffer.from(packed, 'base64url')
  const [grains, time, feed, number, rank] = [0, 1, 2, 3, 4].map((at) => bytes.readDoubleBE(1 + at * 8))
  return { isHead: bytes[0] === 1, grains: grains!, time: time!, feed: feed!, number: number!, rank: rank! }
}
