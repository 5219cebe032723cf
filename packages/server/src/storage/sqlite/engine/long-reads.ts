import { RequestSignal } from '../../../lib/request-signal.ts'
import { SqliteAggregateReader } from '../aggregates/aggregate-reader.ts'
import { SqliteRecordReader } from '../records/record-reader.ts'
import type { Handle } from './handle.ts'
import type { ReadTask } from './read-task.ts'

/** All reads of a thread except searches. Loaded when the first one comes, because most threads only search. */
export class LongReads {
  readonly #aggregates: SqliteAggregateReader
  readonly #records: SqliteRecordReader
  /** Cancels work between two statements. It has no deadline, because the pool keeps the deadline. */
  readonly #signal: RequestSignal

  constructor(reader: Handle, isStopped: () => boolean) {
    this.#aggregates = new SqliteAggregateReader({ reader })
    this.#records = new SqliteRecordReader({ reader })
    this.#signal = new RequestSignal({ isAborted: isStopped, onAbort: () => () => {} }, Number.POSITIVE_INFINITY)
  }

  async run(task: Exclude<ReadTask, { kind: 'search' | 'load_index' }>): Promise<unknown> {
    if (task.kind === 'aggregate') return this.#aggregates.aggregate(task.scope, task.query, this.#signal)
    if (task.kind === 'page') return this.#records.page(task.scope, task.query)
    if (task.kind === 'last_change') return this.#records.lastChange(task.scope, task.feed, task.after, task.until)
    if (task.kind === 'count') return this.#records.count(task.scope, task.conditions, task.connectionId)
    return this.#records.countChanges(task.scope, task.range)
  }
}
