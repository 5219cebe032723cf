// Waits for the merges of the word index, which run in the background after a write.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { LISTED } from '../../packages/server/src/storage/sqlite/words/segment-rows.ts'
import { type PlannedSegment, planMerge } from '../../packages/server/src/storage/words/merge-plan.ts'

const POLL_MS = 10
const PATIENCE_MS = 300_000

/** Watches the segments of a store with one owner. */
export class MergeWatch {
  readonly #db: Database.Database

  constructor(dataDir: string) {
    this.#db = new Database(join(dataDir, 'pdpp.db'), { readonly: true, fileMustExist: true })
  }

  /** Waits until nothing is left to merge. Returns the numbers of the listed segments. */
  async settled(): Promise<number[]> {
    const until = performance.now() + PATIENCE_MS
    while (performance.now() < until) {
      const segments = this.#segments()
      if (segments && !planMerge(segments)) return segments.map(({ segment }) => segment)
      await sleep(POLL_MS)
    }
    throw new Error('The word index was not merged in time.')
  }

  close(): void {
    this.#db.close()
  }

  /** Undefined while rows of a merge are being written or removed. */
  #segments(): PlannedSegment[] | undefined {
    const sql = 'select segment, age, documents, state from word_segment order by age, segment'
    const rows = this.#db.prepare(sql).all() as (PlannedSegment & { state: number })[]
    return rows.every(({ state }) => state === LISTED) ? rows : undefined
  }
}
