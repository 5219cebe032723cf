/**
 * Field names that say when a record was written or happened. A record often has several times; readers want the time a
 * person would name, not the time a copy was made (000.6.1). Earlier entries win.
 */
const AUTHORED = [
  'sent_at',
  'authored_at',
  'written_at',
  'posted_at',
  'occurred_at',
  'happened_at',
  'event_time',
  'started_at',
  'starts_at',
  'start_at',
  'start_time',
  'played_at',
  'watched_at',
  'visited_at',
  'ordered_at',
  'purchased_at',
  'paid_at',
  'taken_at',
  'recorded_at',
  'created_at',
  'published_at',
  'date',
  'datetime',
  'timestamp',
  'time',
]
const INGESTED =
  /^(?:last_)?(?:emitted|synced|ingested|fetched|imported|indexed|crawled|scraped|extracted|updated|modified)(?:_at|_on)?$/

/** Turns `sentAt` into `sent_at`. */
const snakeCase = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()

/**
 * Rank of a field name as the time at which a record was written or happened. A smaller rank is better; undefined means
 * that the name does not suggest such a time.
 */
export function authoredRank(name: string): number | undefined {
  const rank = AUTHORED.indexOf(snakeCase(name))
  return rank === -1 ? undefined : rank
}

/** True for the time at which a copy was made or changed. Use it only if the record has no better time. */
export const isIngestionTime = (name: string): boolean => INGESTED.test(snakeCase(name))

/** For records without a known declaration: the value of the field whose name has the best rank. */
export function authoredTimeIn(data: Readonly<Record<string, unknown>>): string | undefined {
  const times = Object.entries(data).flatMap(([name, value]) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
      ? [{ value, rank: authoredRank(name) ?? (isIngestionTime(name) ? AUTHORED.length : undefined) }]
      : [],
  )
  return times.filter(({ rank }) => rank !== undefined).sort((a, b) => a.rank! - b.rank!)[0]?.value
}
