import type { RankPosition } from './scoring/top-ranks.ts'
import { WEIGHT_UNIT, type WordStatistics } from './weighed-words.ts'

const HEAD_BYTES = 33
const BYTES_PER_WORD = 3
const BYTES_PER_FEED = 14
/** For longer queries, the statistics of further words are not stored. */
const MAX_WORDS = 64
/** Flags of the position and of a word. */
const [IN_HEAD, HAS_FREE_QUOTES, IS_RARE] = [1, 2, 1]

/**
 * A position as text. Numbers have a fixed length, because a longer number would reveal that there are hidden records.
 * Minus infinity means that a record has no time.
 */
export function packRank({ isHead, grains, time, feed, number, statistics }: RankPosition): string {
  const { averages, headGrains, alike, hasFreeQuotes } = statistics
  const words = statistics.words.slice(0, MAX_WORDS)
  const bytes = Buffer.alloc(
    HEAD_BYTES + words.length * BYTES_PER_WORD + alike.length * BYTES_PER_FEED + averages.length,
  )
  bytes.writeUInt8((isHead ? IN_HEAD : 0) + (hasFreeQuotes ? HAS_FREE_QUOTES : 0), 0)
  bytes.writeUInt8(words.length, 1)
  bytes.writeInt32BE(grains, 2)
  bytes.writeInt32BE(headGrains, 6)
  bytes.writeDoubleBE(time, 10)
  bytes.writeDoubleBE(number, 18)
  bytes.writeUIntBE(feed, 26, 6)
  bytes.writeUInt8(alike.length, 32)
  for (const [at, { weight, isRare, spread }] of words.entries()) {
    const from = HEAD_BYTES + at * BYTES_PER_WORD
    bytes.writeUInt16BE(Math.round(weight * WEIGHT_UNIT), from)
    bytes.writeUInt8((isRare ? IS_RARE : 0) + (spread << 1), from + 2)
  }
  const feeds = HEAD_BYTES + words.length * BYTES_PER_WORD
  for (const [at, { feed: alikeFeed, last }] of alike.entries()) {
    bytes.writeUIntBE(alikeFeed, feeds + at * BYTES_PER_FEED, 6)
    bytes.writeDoubleBE(last, feeds + at * BYTES_PER_FEED + 6)
  }
  bytes.set(averages, feeds + alike.length * BYTES_PER_FEED)
  return bytes.toString('base64url')
}

export function unpackRank(packed: string): RankPosition {
  const bytes = Buffer.from(packed, 'base64url')
  const count = bytes.readUInt8(1)
  const words = Array.from({ length: count }, (_, at): WordStatistics => {
    const from = HEAD_BYTES + at * BYTES_PER_WORD
    const flags = bytes.readUInt8(from + 2)
    const weight = bytes.readUInt16BE(from) / WEIGHT_UNIT
    return { weight, isRare: (flags & IS_RARE) > 0, spread: flags >> 1 }
  })
  const feeds = HEAD_BYTES + count * BYTES_PER_WORD
  const alike = Array.from({ length: bytes.readUInt8(32) }, (_, at) => {
    const from = feeds + at * BYTES_PER_FEED
    return { feed: bytes.readUIntBE(from, 6), last: bytes.readDoubleBE(from + 6) }
  })
  return {
    ...{ isHead: (bytes.readUInt8(0) & IN_HEAD) > 0, grains: bytes.readInt32BE(2), time: bytes.readDoubleBE(10) },
    ...{ feed: bytes.readUIntBE(26, 6), number: bytes.readDoubleBE(18) },
    statistics: {
      ...{ words, headGrains: bytes.readInt32BE(6), alike },
      hasFreeQuotes: (bytes.readUInt8(0) & HAS_FREE_QUOTES) > 0,
      averages: Uint8Array.from(bytes.subarray(feeds + alike.length * BYTES_PER_FEED)),
    },
  }
}
