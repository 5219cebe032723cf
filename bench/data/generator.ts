// Generates records that look like mail and chat. A record depends only on its feed and number. So every run has the
// same data, and any part of it can be generated again instead of being kept in memory.
import { CHANNELS, CONNECTIONS, STREAMS } from './source.ts'
import { drawWord, wordOf } from './vocabulary.ts'

export interface BenchRecord {
  readonly id: string
  readonly thread_id: string
  readonly author: string
  readonly channel: string
  readonly subject: string
  readonly body: string
  readonly sent_at: string
  readonly amount_cents: number
  readonly flagged: boolean
}

/** One stream of one connection. */
export interface BenchFeed {
  readonly index: number
  readonly stream: string
  readonly connectionId: string
  readonly count: number
}

/** Number of the one record in every feed whose body has LONG_CHARS characters. Field windows are measured with it. */
export const LONG_RECORD = 7
const LONG_CHARS = 20_000
const FIRST_INSTANT = Date.UTC(2016, 0, 1)
const YEARS_MS = 10 * 365.25 * 86_400_000

export function feedsOf(size: number): BenchFeed[] {
  return STREAMS.flatMap(([stream, share], at) =>
    CONNECTIONS.map((connectionId, connection) => ({
      index: at * CONNECTIONS.length + connection,
      stream,
      connectionId,
      count: Math.round((size * share) / CONNECTIONS.length),
    })),
  )
}

export function* records(feed: BenchFeed, from = 0, to = feed.count): Generator<BenchRecord> {
  for (let number = from; number < to; number++) yield recordOf(feed, number)
}

/** An id like those of messages: unique, and in random order, so that no index profits from it. */
export function idOf(feed: BenchFeed, number: number): string {
  return `${feed.index.toString(36)}-${scramble(number + 1)
    .toString(16)
    .padStart(8, '0')}`
}

/** Five records of a feed share a thread. */
export const threadOf = (number: number): string => `t${scramble(Math.floor(number / 5)).toString(16)}`

function recordOf(feed: BenchFeed, number: number): BenchRecord {
  const random = mulberry32(feed.index * 0x9e3779b9 + number)
  const below = (limit: number) => Math.floor(random() * limit)
  const words = (count: number) => Array.from({ length: count }, () => drawWord(random())).join(' ')
  const body = words(15 + below(65))
  // Records arrive approximately in the order of their times, as they do when a mailbox is read.
  const sentAt = FIRST_INSTANT + (YEARS_MS * number) / feed.count + below(86_400_000)
  return {
    id: idOf(feed, number),
    thread_id: threadOf(number),
    author: `${drawWord(random())}.${wordOf(below(2000))}@example.org`,
    channel: CHANNELS[Math.floor(random() ** 2 * CHANNELS.length)]!,
    subject: words(3 + below(6)),
    body: number === LONG_RECORD ? body.padEnd(LONG_CHARS, `${body} `) : body,
    sent_at: new Date(sentAt).toISOString(),
    amount_cents: Math.floor(random() ** 3 * 500_000),
    flagged: random() < 0.05,
  }
}

function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Maps every number of 32 bits to a different one that looks random. */
function scramble(number: number): number {
  const mixed = Math.imul(number ^ (number >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
