import { extname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { JobThread } from '../../../../lib/threads/job-thread.ts'
import { decodeColumns } from '../../../../search/segments/document-columns.ts'
import { eachDead } from '../../../words/dead-records.ts'
import type { Edition } from '../../../words/edition.ts'
import type { EncodedSegment, MergedSegment } from '../../../words/encoded-segment.ts'
import { MAX_INLINE_DOCUMENTS, type MergeJob } from '../../../words/merge-job.ts'
import { type PlannedSegment, planMerge } from '../../../words/merge-plan.ts'
import type { Handle } from '../../engine/database.ts'
import { deadOf } from '../dead-documents.ts'
import { insertSegment, LISTED, REMOVING, removeParts, removeSegmentRow, WRITING, writeParts } from '../segment-rows.ts'
import { mergeListed } from './segment-merger.ts'

/** Parts of segments written or removed in one transaction, which takes some milliseconds. */
const PARTS_PER_TURN = 16

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./merge-worker${extname(import.meta.filename)}`, import.meta.url)

/** Stops a merge that must not continue. The next run removes its rows. */
class Interruption extends Error {}

/**
 * Merges segments in the background, and rewrites them without erased data. Another thread reads and merges; this one
 * writes the result, a slice per turn. A crash leaves rows of segments that are not listed, which the next run removes.
 */
export class WordMerger {
  readonly #writer: Handle
  readonly #thread: JobThread<MergeJob, MergedSegment | undefined>
  #last: Promise<void> = Promise.resolve()
  #isDue = false
  #isResting = false
  #isClosed = false

  constructor(writer: Handle, file: string) {
    this.#writer = writer
    this.#thread = new JobThread(WORKER, { file })
  }

  /** Call after writes. Merges segments that are due, unless a merge is already running. */
  schedule(): void {
    if (this.#isDue || this.#isResting || this.#isClosed) return
    this.#isDue = true
    void this.#run(async () => {
      await nextTurn()
      this.#isDue = false
      if (this.#isResting) return
      await this.#removeUnlisted()
      await this.#mergeDue()
      // A failed merge is repeated after the next write. For example, the disk may be full.
    }).catch(() => {})
  }

  /** Writes nothing until `wake`, because another thread or program writes. A running merge is abandoned. */
  async rest(): Promise<void> {
    this.#isResting = true
  }

  async wake(): Promise<void> {
    this.#isResting = false
    this.schedule()
  }

  /** Rewrites the segments that have dead versions of records of this edition, so that none of their words is left. */
  erase(edition: Edition): Promise<void> {
    return this.#run(async () => {
      for (const segment of await this.#segmentsWithDead(edition)) await this.#rewrite(edition.owner, [segment])
    })
  }

  /** Removes the documents of dropped editions, and rows that a crash left behind. */
  cleanUp(): Promise<void> {
    return this.#run(async () => {
      await this.#removeUnlisted()
      const sql = `select distinct s.owner, s.segment from word_segment_edition e join word_segment s using (segment)
        where s.state = ${LISTED} and not exists (select 1 from word_edition w where w.edition = e.edition)`
      const rows = this.#writer.all<{ owner: number; segment: number }>(sql)
      for (const { owner, segment } of rows) await this.#rewrite(owner, [segment])
      const unused =
        'delete from word_dead where not exists (select 1 from word_edition w where w.edition = word_dead.edition)'
      this.#writer.run(unused)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread.close()
    await this.#last.catch(() => {})
  }

  #run(work: () => Promise<void>): Promise<void> {
    const run = this.#last.then(() => (this.#isClosed ? undefined : work()))
    this.#last = run.catch(() => {})
    return run
  }

  async #mergeDue(): Promise<void> {
    const owners = this.#writer.column<number>('select owner from word_owner')
    for (const owner of owners) {
      for (let due = this.#due(owner); due; due = this.#due(owner)) {
        if (!(await this.#replace(owner, due))) break
        await nextTurn()
      }
    }
  }

  #due(owner: number): readonly PlannedSegment[] | undefined {
    const sql = `select segment, age, documents from word_segment indexed by word_segment_owner
      where owner = ? and state = ${LISTED} order by age, segment`
    return planMerge(this.#writer.all<PlannedSegment & Record<string, unknown>>(sql, owner))
  }

  async #segmentsWithDead({ edition, owner }: Edition): Promise<number[]> {
    const sql = `select segment, age from word_segment_edition join word_segment using (segment)
      where edition = ? and state = ${LISTED}`
    const dead = deadOf(this.#writer, owner, [edition])
    const found: number[] = []
    for (const { segment, age } of this.#writer.all<{ segment: number; age: number }>(sql, edition)) {
      const [columns] = this.#writer.column<Uint8Array>('select columns from word_segment where segment = ?', segment)
      let count = 0
      eachDead(decodeColumns(columns!), age, dead, () => count++)
      if (count > 0) found.push(segment)
      await nextTurn()
    }
    return found
  }

  async #rewrite(owner: number, segments: readonly number[]): Promise<void> {
    for (const segment of segments) {
      const sql = `select segment, age, documents from word_segment where segment = ? and state = ${LISTED}`
      const rows = this.#writer.all<PlannedSegment & Record<string, unknown>>(sql, segment)
      if (rows.length > 0) await this.#replace(owner, rows)
    }
  }

  /** Returns false if one of these segments was replaced meanwhile. */
  async #replace(owner: number, segments: readonly PlannedSegment[]): Promise<boolean> {
    const numbers = segments.map(({ segment }) => segment)
    const documents = segments.reduce((sum, segment) => sum + segment.documents, 0)
    const merged =
      documents <= MAX_INLINE_DOCUMENTS
        ? mergeListed(this.#writer, owner, numbers)
        : await this.#thread.run({ owner, segments: numbers })
    if (!merged) return false
    const age = Math.max(...segments.map((segment) => segment.age))
    const output = merged.output && (await this.#write(owner, age, merged.output))
    this.#swap(owner, numbers, output, merged)
    for (const segment of numbers) await this.#remove(segment)
    return true
  }

  async #write(owner: number, age: number, output: EncodedSegment): Promise<number> {
    const segment = this.#transaction(() => insertSegment(this.#writer, owner, age, WRITING, output))
    const { parts } = output
    for (let from = 0; from < parts.length; from += PARTS_PER_TURN) {
      const to = Math.min(parts.length, from + PARTS_PER_TURN)
      this.#transaction(() => writeParts(this.#writer, segment, parts, from, to))
      await nextTurn()
    }
    return segment
  }

  /**
   * Lists the merged segment in place of its sources. Dead versions that it left out no longer need a row in
   * `word_dead`.
   */
  #swap(owner: number, parts: readonly number[], output: number | undefined, { dropped }: MergedSegment): void {
    this.#transaction(() => {
      const state = 'update word_segment set state = ? where segment = ?'
      for (const part of parts) this.#writer.run(state, REMOVING, part)
      if (output !== undefined) this.#writer.run(state, LISTED, output)
      for (const { edition, number } of dropped) {
        const of = 'where owner = ? and edition = ? and number = ?'
        this.#writer.run(`update word_dead set versions = versions - 1 ${of}`, owner, edition, number)
        this.#writer.run(`delete from word_dead ${of} and versions <= 0`, owner, edition, number)
      }
      this.#writer.run('update word_owner set epoch = epoch + 1 where owner = ?', owner)
    })
  }

  async #removeUnlisted(): Promise<void> {
    const sql = `select segment from word_segment where state <> ${LISTED}`
    for (const segment of this.#writer.column<number>(sql)) await this.#remove(segment)
  }

  async #remove(segment: number): Promise<void> {
    const remove = () => this.#transaction(() => removeParts(this.#writer, segment, PARTS_PER_TURN))
    while (remove() === PARTS_PER_TURN) await nextTurn()
    this.#transaction(() => removeSegmentRow(this.#writer, segment))
  }

  /** Work can stop before any transaction, because no transaction is open between two turns. */
  #transaction<T>(work: () => T): T {
    if (this.#isResting || this.#isClosed) throw new Interruption()
    return this.#writer.transaction(work)
  }
}
