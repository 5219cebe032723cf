import { extname } from 'node:path'
import type { RequestSignal } from '../../../lib/request-signal.ts'
import type { ExampleWords } from '../../contract.ts'
import { type PoolLimits, ThreadPool } from '../../thread-pool.ts'
import { type PackedResult, unpackResult } from '../../words/packed-result.ts'
import { type Checkpoint, type Lane, laneOf, type ReadingAhead, type ReadTask } from './read-task.ts'

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./read-worker${extname(import.meta.filename)}`, import.meta.url)

/** The reader threads of one file. */
export class ReadPool extends ThreadPool<ReadTask, Lane> {
  constructor(file: string, limits: Partial<PoolLimits> = {}) {
    super(WORKER, { file }, { search: ['searches', 50], long: ['long reads', 500] }, limits)
  }

  /** Lets a thread read the word index before the first search. Returns some indexed words. */
  loadIndex(): Promise<ExampleWords> {
    return this.run<ExampleWords>({ kind: 'load_index' })
  }

  /** Copies the log of a file into it without making the event loop wait for the disk. */
  checkpoint(file: string): Promise<void> {
    return this.errand({ kind: 'checkpoint', file } satisfies Checkpoint)
  }

  /** Lets idle threads take over what was written since they last searched. */
  readAhead(): void {
    this.errandIfIdle({ kind: 'read_ahead' } satisfies ReadingAhead)
  }

  run<T>(task: ReadTask, signal?: RequestSignal): Promise<T> {
    if (task.kind !== 'search') return this.perform(laneOf(task), task, signal)
    return this.perform<PackedResult>(laneOf(task), task, signal).then((packed) => unpackResult(packed) as T)
  }
}
