import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { JobThread } from '../../../../lib/threads/job-thread.ts'
import { decodeColumns } from '../../../../search/segments/document-columns.ts'
import { eachDead } from '../../../words/dead-records.ts'
import type { Edition } from '../../../words/edition.ts'
import type { MergedSegment } from '../../../words/encoded-segment.ts'
import { MAX_INLINE_DOCUMENTS, type MergeJob } from '../../../words/merge-job.ts'
import { type PlannedSegment, planMerge } from '../../../words/merge-plan.ts'
import type { Database } from '../../engine/database.ts'
import type { Session } from '../../engine/session.ts'
import { deadOf } from '../dead-documents.ts'
import { insertSegment, LISTED, REMOVING, removeSegments, WRITING, writeParts } from '../segment-rows.ts'
import { mergeListed } from './segment-merger.ts'

/** Parts written in one transaction: about two megabytes. */
const PARTS_AT_ONCE = 64
/** A merging process holds the lease for this long, and renews it with every step. */
const LEASE_MS = 60_000
const DELAY_MS = 250

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./merge-worker${extname(import.meta.filename)}`, import.meta.url)

/**
 * Merges segments in the background, and rewrites them without erased data. Another thread reads and merges; this one
 * writes the result. One process at a time merges for an owner, because it needs the lease in the owner's row. A crash
 * leaves rows of segments that are not listed, which the next run removes after the lease has ended.
 */
export class WordMerger {
  readonly #database: Database
  readonly #thread: JobThread<MergeJob, MergedSegment | undefined>
  readonly #process = randomUUID()
  readonly #due = new Map<number, NodeJS.Timeout>()
  #last: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(database: Database) {
    this.#database = database
    this.#thread = new JobThread(WORKER, { options: database.options })
  }

  /** Call after writes. Waits a little before it merges, because single records often come one by one. */
  schedule(subject: number): void {
    if (this.#due.has(subject) || this.#isClosed) return
    const timer = setTimeout(() => {
      this.#due.delete(subject)
      void this.#run(() => this.#merge(subject)).catch(() => {})
    }, DELAY_MS)
    this.#due.set(subject, timer.unref())
  }

  /** A failed merge is repeated after the next write. For example, the disk may be full. */
  async #merge(subject: number): Promise<void> {
    // Another process has the lease and merges.
    if (!(await this.#lease(subject))) return
    await this.#removeUnlisted(subject)
    await this.#mergeDue(subject)
  }

  /** Rewrites the segments that have dead versions of records of this edition, so that none of their words is left. */
  erase(edition: Edition): Promise<void> {
    const { owner: subject } = edition
    return this.#run(async () => {
      await this.#requireLease(subject)
      for (const segment of await this.#segmentsWithDead(edition)) await this.#rewrite(subject, segment)
    })
  }

  /** Removes the documents of dropped editions, and rows that a crash left behind. */
  cleanUp(subject: number): Promise<void> {
    return this.#run(async () => {
      await this.#requireLease(subject)
      await this.#removeUnlisted(subject)
      const sql = `select distinct s.segment from word_segment_edition e join word_segment s using (subject, segment)
        where s.subject = ? and s.state = ${LISTED} and not exists
          (select 1 from word_edition w where w.subject = e.subject and w.edition = e.edition)`
      for (const segment of await this.#database.column<number>(sql, subject)) await this.#rewrite(subject, segment)
      const unused = `delete from word_dead d where d.subject = ? and not exists
        (select 1 from word_edition w where w.subject = d.subject and w.edition = d.edition)`
      await this.#database.run(unused, subject)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#due.values()) clearTimeout(timer)
    await this.#thread.close()
    await this.#last.catch(() => {})
    const sql = 'update word_owner set lease_until = 0 where lease_holder = ?'
    await this.#database.run(sql, this.#process).catch(() => {})
  }

  #run(work: () => Promise<void>): Promise<void> {
    const run = this.#last.then(() => (this.#isClosed ? undefined : work()))
    this.#last = run.catch(() => {})
    return run
  }

  async #lease(subject: number): Promise<boolean> {
    const now = Date.now()
    const sql = `update word_owner set lease_holder = @process, lease_until = @until
      where subject = @subject and (lease_holder = @process or lease_until < @now)`
    return (await this.#database.run(sql, { process: this.#process, until: now + LEASE_MS, subject, now })) === 1
  }

  /** Waits until another process has finished. An owner without words has nothing to merge. */
  async #requireLease(subject: number): Promise<void> {
    const exists = 'select 1 from word_owner where subject = ?'
    while (!(await this.#lease(subject))) {
      if (!(await this.#database.get(exists, subject))) return
      await new Promise((done) => setTimeout(done, 200))
    }
  }

  async #mergeDue(subject: number): Promise<void> {
    const sql = `select segment, age, documents from word_segment
      where subject = ? and state = ${LISTED} order by age, segment`
    for (;;) {
      const due = planMerge(await this.#database.all<PlannedSegment>(sql, subject))
      if (!due || this.#isClosed || !(await this.#lease(subject)) || !(await this.#replace(subject, due))) return
    }
  }

  async #segmentsWithDead({ edition, owner: subject }: Edition): Promise<number[]> {
    const sql = `select s.segment, s.age, s.columns from word_segment_edition e join word_segment s using (subject, segment)
      where e.subject = ? and e.edition = ? and s.state = ${LISTED}`
    const dead = await deadOf(this.#database, subject, [edition])
    const rows = await this.#database.all<{ segment: number; age: number; columns: Uint8Array }>(sql, subject, edition)
    return rows.flatMap(({ segment, age, columns }) => {
      let count = 0
      eachDead(decodeColumns(columns), age, dead, () => count++)
      return count > 0 ? [segment] : []
    })
  }

  async #rewrite(subject: number, segment: number): Promise<void> {
    const sql = `select segment, age, documents from word_segment where subject = ? and segment = ? and state = ${LISTED}`
    const rows = await this.#database.all<PlannedSegment>(sql, subject, segment)
    if (rows.length > 0) await this.#replace(subject, rows)
  }

  /** Returns false if one of these segments was replaced meanwhile. */
  async #replace(subject: number, segments: readonly PlannedSegment[]): Promise<boolean> {
    const numbers = segments.map(({ segment }) => segment)
    const merged = await this.#merged(subject, segments)
    if (!merged) return false
    const age = Math.max(...segments.map((segment) => segment.age))
    const output = merged.output && (await this.#write(subject, age, merged.output))
    await this.#database.quiet((session) => swap(session, subject, numbers, output, merged))
    await this.#remove(subject, numbers)
    return true
  }

  #merged(subject: number, segments: readonly PlannedSegment[]): Promise<MergedSegment | undefined> {
    const numbers = segments.map(({ segment }) => segment)
    const documents = segments.reduce((sum, segment) => sum + segment.documents, 0)
    return documents <= MAX_INLINE_DOCUMENTS
      ? this.#database.snapshot((session) => mergeListed(session, subject, numbers))
      : this.#thread.run({ owner: subject, segments: numbers })
  }

  async #write(subject: number, age: number, output: NonNullable<MergedSegment['output']>): Promise<number> {
    const segment = await this.#database.quiet(async (session) => {
      const take = 'update word_owner set next_segment = next_segment + 1 where subject = ? returning next_segment - 1'
      const [number] = await session.column<number>(take, subject)
      await insertSegment(session, subject, { segment: number!, age, state: WRITING }, output)
      return number!
    })
    for (let from = 0; from < output.parts.length; from += PARTS_AT_ONCE) {
      const to = Math.min(output.parts.length, from + PARTS_AT_ONCE)
      await this.#database.quiet((session) => writeParts(session, subject, segment, output.parts, from, to))
      if (!(await this.#lease(subject))) throw new Error('Another process has taken over the merging of words.')
    }
    return segment
  }

  async #removeUnlisted(subject: number): Promise<void> {
    const sql = `select segment from word_segment where subject = ? and state <> ${LISTED}`
    const unlisted = await this.#database.column<number>(sql, subject)
    if (unlisted.length > 0) await this.#remove(subject, unlisted)
  }

  async #remove(subject: number, segments: readonly number[]): Promise<void> {
    await this.#database.quiet((session) => removeSegments(session, subject, segments))
  }
}

/** Ends the leases of earlier processes. Call as soon as this process holds the database. */
export async function endLeases(database: Database): Promise<void> {
  await database.run('update word_owner set lease_until = 0 where lease_until > 0')
}

/**
 * Lists the merged segment in place of its sources. Dead versions that it left out no longer need a row in `word_dead`.
 */
async function swap(
  session: Session,
  subject: number,
  parts: readonly number[],
  output: number | undefined,
  { dropped }: MergedSegment,
): Promise<void> {
  // Locks the owner's row first, like everything that writes words.
  await session.run('update word_owner set epoch = epoch + 1 where subject = ?', subject)
  const state = 'update word_segment set state = ? where subject = ? and segment = any(?::bigint[])'
  await session.run(state, REMOVING, subject, parts)
  if (output !== undefined) await session.run(state, LISTED, subject, [output])
  if (dropped.length === 0) return
  const lists = [dropped.map(({ edition }) => edition), dropped.map(({ number }) => number)]
  const fewer = `update word_dead d set versions = d.versions - x.versions from
      (select edition, number, count(*) versions from unnest(?::bigint[], ?::bigint[]) y(edition, number) group by 1, 2) x
    where d.subject = ? and d.edition = x.edition and d.number = x.number`
  await session.run(fewer, ...lists, subject)
  await session.run('delete from word_dead where subject = ? and versions <= 0', subject)
}
