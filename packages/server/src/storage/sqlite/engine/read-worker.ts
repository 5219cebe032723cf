// A thread for long reads, with its own read-only connection.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { damaged } from '../../../lib/store-fault.ts'
import { packError } from '../../../lib/threads/thread-error.ts'
import { lowerPriority } from '../../../lib/threads/thread-priority.ts'
import { PAGE_KILOBYTES } from '../../cache-limits.ts'
import { ERRAND_DONE, type TaskResult } from '../../thread-pool.ts'
import { packResult } from '../../words/packed-result.ts'
import { SharedColumns } from '../../words/shared-columns.ts'
import { LastTargets, receivedTargets } from '../words/received-targets.ts'
import { SearchRunner } from '../words/search-run.ts'
import { isDamage } from './fault.ts'
import { Handle } from './handle.ts'
import type { LongReads } from './long-reads.ts'
import type { Checkpoint, ReadingAhead, ReadTask, WorkerStart } from './read-task.ts'

const { file, stop, columns } = workerData as WorkerStart
lowerPriority()
const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })
db.pragma(`cache_size = -${PAGE_KILOBYTES.readerThread}`)
const isStopped = () => Atomics.load(stop, 0) !== 0
const reader = new Handle(db, {
  beforeStatement: check,
})
const search = new SearchRunner(reader, new SharedColumns(columns))
const lastTargets = new LastTargets()
let longReads: LongReads | undefined

function check(): void {
  if (isStopped()) throw new Error('stopped')
}

parentPort!.on('message', async (task: ReadTask | Checkpoint | ReadingAhead) => {
  if (task.kind === 'checkpoint') parentPort!.postMessage(checkpoint(task))
  else if (task.kind === 'read_ahead') parentPort!.postMessage(readAhead())
  else parentPort!.postMessage(await answer(task))
})

function readAhead(): typeof ERRAND_DONE {
  try {
    search.readAhead([...lastTargets.texts].map((text) => () => receivedTargets(reader, text)))
  } catch {
    // The next search does the same, and says what is wrong.
  }
  return ERRAND_DONE
}

function checkpoint({ file }: Checkpoint): typeof ERRAND_DONE {
  try {
    const db = new Database(file, { fileMustExist: true })
    // Passive: it stops nobody from reading or writing.
    db.pragma('wal_checkpoint(passive)')
    db.close()
  } catch {
    // The disk may be full. SQLite copies the log itself when it is much longer, and reports what is wrong.
  }
  return ERRAND_DONE
}

async function answer(task: ReadTask): Promise<TaskResult> {
  // Several tasks may share one turn of this thread's event loop although other threads wrote between them, so the
  // cached version is not trusted.
  reader.noteWrite()
  try {
    return { result: await run(task) }
  } catch (error) {
    return { error: packError(isDamage(error) ? damaged() : error) }
  }
}

async function run(task: ReadTask): Promise<unknown> {
  if (task.kind === 'search') {
    lastTargets.note(task.targets)
    return packResult(search.run(() => receivedTargets(reader, task.targets), task.page, check))
  }
  if (task.kind === 'load_index') return search.loadIndex()
  longReads ??= new (await import('./long-reads.ts')).LongReads(reader, isStopped)
  return longReads.run(task)
}
