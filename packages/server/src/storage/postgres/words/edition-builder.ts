import { parseJson } from '@pdpp/protocol'
import { ANALYSER } from '../../../search/analysis/analyser.ts'
import { renewedSpec } from '../../words/edition.ts'
import type { SegmentBuilding } from '../../words/segment-building.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import { createEdition, dropEdition, editionsOf } from './edition.ts'
import { WordBatch } from './word-batch.ts'

/** Records and characters of JSON that are indexed in one transaction: some tens of milliseconds. */
const ROWS_AT_ONCE = 200
const CHARS_AT_ONCE = 1024 * 1024

/** Builds incomplete editions, a slice at a time. After a crash it continues where it stopped. */
export class EditionBuilder {
  readonly #database: Database
  readonly #building: SegmentBuilding

  constructor(database: Database, building: SegmentBuilding) {
    this.#database = database
    this.#building = building
  }

  /**
   * Builds the editions of one owner, or of all owners. True if it stopped at `until`, a time of `performance.now()`,
   * before all was done.
   */
  async run(subject?: number, until = Infinity): Promise<boolean> {
    const sql = `select e.subject, e.feed from word_edition e join feed f using (subject, feed)
      where e.through is not null and f.erased = 0 and (?::bigint is null or e.subject = ?)`
    const rows = await this.#database.all<{ subject: number; feed: number }>(sql, subject ?? null, subject ?? null)
    for (const row of rows) {
      let isLeft = true
      while (isLeft) {
        if (performance.now() >= until) return true
        isLeft = await this.#database.quiet((session) => buildSlice(session, row, this.#building))
      }
    }
    return false
  }

  /**
   * Builds editions of another version of the analyser anew, one after the other. Until its turn comes, the old edition
   * still answers. True if it stopped at `until` before all was done.
   */
  async renewOutdated(until = Infinity): Promise<boolean> {
    const sql = `select e.subject, e.feed, e.spec from word_edition e join feed f using (subject, feed)
      where f.erased = 0 and (e.spec::json ->> 'analyser') is distinct from '${ANALYSER}'`
    for (const { subject, feed } of await this.#database.all<{ subject: number; feed: number }>(sql)) {
      if (performance.now() >= until) return true
      await this.#database.quiet(async (session) => {
        await session.run('select 1 from feed where subject = ? and feed = ? for update', subject, feed)
        const still = await session.get<{ spec: string }>(`${sql} and e.subject = ? and e.feed = ?`, subject, feed)
        if (!still) return
        await dropEdition(session, subject, feed)
        await createEdition(session, subject, { feed, isEmpty: false }, renewedSpec(still.spec))
      })
      if (await this.run(subject, until)) return true
    }
    return false
  }
}

async function buildSlice(
  session: Session,
  { subject, feed }: { subject: number; feed: number },
  building: SegmentBuilding,
): Promise<boolean> {
  // The lock stops others from writing records to the feed meanwhile.
  const locked = 'select feed from feed where subject = ? and feed = ? and erased = 0 for update'
  if ((await session.column(locked, subject, feed)).length === 0) return false
  const [edition] = await editionsOf(session, subject, [feed])
  if (!edition || edition.through === null) return false
  // With `through: null` the batch indexes the records of the slice now instead of leaving them for later.
  const batch = new WordBatch(session, { ...edition, through: null }, building)
  const sql = `select id, length(data) chars from record where subject = ? and feed = ? and id > ?
    order by id limit ${ROWS_AT_ONCE}`
  const found = await session.all<{ id: number; chars: number }>(sql, subject, feed, edition.through)
  let chars = 0
  const ids = found.flatMap((row) => {
    if (chars > CHARS_AT_ONCE) return []
    chars += row.chars
    return [row.id]
  })
  const read = 'select id, data from record where subject = ? and feed = ? and id = any(?::bigint[]) order by id'
  for (const { id, data } of await session.all<{ id: number; data: string }>(read, subject, feed, ids))
    batch.add(id, parseJson(data) as Record<string, unknown>, true)
  await batch.flush()
  const isDone = ids.length === found.length && found.length < ROWS_AT_ONCE
  const progress = 'update word_edition set through = ? where subject = ? and edition = ?'
  await session.run(progress, isDone ? null : ids.at(-1)!, subject, edition.edition)
  await session.run('update word_owner set epoch = epoch + 1 where subject = ?', subject)
  return !isDone
}
