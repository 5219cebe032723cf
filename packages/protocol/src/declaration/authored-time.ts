/**
 * When a record was written or happened, told by the name of a field. Sources have many times, and a reader wants the
 * one that a person would give, not the one at which a copy was made (000.6.1). Earlier in the list wins.
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

/** `sentAt` is `sent_at`. */
const plain = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()

/** How well a name says when something was written or happened: smaller is better, undefined where it does not. */
export function authoredRank(name: string): number | undefined {
  const rank = AUTHORED.indexOf(plain(name))
  return rank === -1 ? undefined : rank
}

/** When a copy was made or changed: it says something of the record only where nothing else does. */
export const isIngestionTime = (name: string): boolean => INGESTED.test(plain(name))

/** Of fields whose declaration is not known: the text of the one whose name says best when. */
export function authoredTimeIn(data: Readonly<Record<string, unknown>>): string | undefined {
  const times = Object.entries(data).flatMap(([name, value]) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
      ? [{ value, rank: authoredRank(name) ?? (isIngestionTime(name) ? AUTHORED.length : undefined) }]
      : [],
  )
  return times.filter(({ rank }) => rank !== undefined).sort((a, b) => a.rank! - b.rank!)[0]?.value
}
