import type { FeedPosition } from '../record-store.ts'

/**
 * Record numbers and versions also count hidden records. If cursors contained them in decimal, their length would
 * reveal how many. So every number is packed into a fixed size. Cursors of earlier versions contain plain numbers.
 */
export type PackedNumber = string | number
export type PackedPositions = string | readonly number[]

const NUMBER_BYTES = 6
const FEED_BYTES = 4
const POSITION_BYTES = FEED_BYTES + NUMBER_BYTES

export function packNumber(number: number): string {
  const bytes = Buffer.alloc(NUMBER_BYTES)
  bytes.writeUIntBE(number, 0, NUMBER_BYTES)
  return bytes.toString('base64url')
}

export function unpackNumber(packed: PackedNumber): number {
  return typeof packed === 'number' ? packed : Buffer.from(packed, 'base64url').readUIntBE(0, NUMBER_BYTES)
}

/** Reserves space for each connection in scope, so that the length is the same if a feed does not exist yet. */
export function packPositions(positions: readonly FeedPosition[], connections: number): string {
  const bytes = Buffer.alloc(POSITION_BYTES * Math.max(connections, positions.length))
  for (const [index, { feed, version }] of positions.entries()) {
    bytes.writeUIntBE(feed, index * POSITION_BYTES, FEED_BYTES)
    bytes.writeUIntBE(version, index * POSITION_BYTES + FEED_BYTES, NUMBER_BYTES)
  }
  return bytes.toString('base64url')
}

export function unpackPositions(packed: PackedPositions): FeedPosition[] {
  const bytes = typeof packed === 'string' ? Buffer.from(packed, 'base64url') : undefined
  const places = bytes ? bytes.length / POSITION_BYTES : packed.length / 2
  const positions = Array.from({ length: places }, (_, place) =>
    bytes
      ? {
          feed: bytes.readUIntBE(place * POSITION_BYTES, FEED_BYTES),
          version: bytes.readUIntBE(place * POSITION_BYTES + FEED_BYTES, NUMBER_BYTES),
        }
      : { feed: packed[place * 2] as number, version: packed[place * 2 + 1] as number },
  )
  // Feeds are numbered from one, so zero is an unused slot.
  return positions.filter(({ feed }) => feed !== 0)
}
