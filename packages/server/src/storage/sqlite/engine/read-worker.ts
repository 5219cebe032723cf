// A thread for long reads, with its own read-only connection.
import { parentPort, workerData } from 'node:worker_threads'
import { PdppError } from '@pdpp/protocol'
import Database from 'better-sqlite3'
import { damaged } from '../../../lib/store-fault.ts'
import { SqliteAggregateReader } from '../aggregates/aggregate-reader.ts'
import { SqliteRecordReader } from '../records/record-reader.ts'
import { SearchRunner } from '../words/search-run.ts'
import { receivedTargets } from '../words/sent-targets.ts'
import { SharedColumns } from '../words/shared-columns.ts'
import { Handle } from './database.ts'
import { isDamage } from './fault.ts'
import type { ReadTask, TaskResult, WorkerStart } from './read-task.ts'

const { file, stop, columns } = workerData as WorkerStart
const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })
db.pragma('cache_size = -4096')
const reader = new Handle(db, {
  beforeStatement: check,
})

function check(): void {
  if (Atomics.load(stop, 0) !== 0) throw new Error('stopped')
}

const aggregates = new SqliteAggregateReader({ reader })
const records = new SqliteRecordReader({ reader })
const search = new SearchRunner(reader, new SharedColumns(columns))

parentPort!.on('message', async (task: ReadTask) => {
  parentPort!.postMessage(await answer(task))
})

async function answer(task: ReadTask): Promise<TaskResult> {
  // Several tasks may share one turn of this thread's event loop although there were writes between them.
  reader.noteWrite()
  try {
    return { result: await run(task) }
  } catch (error) {
    const known = isDamage(error) ? damaged() : error
    if (known instanceof PdppError)
      return { refused: { code: known.code, message: known.message, detail: { ...known.detail } } }
    return { crashed: (error as Error)?.stack ?? String(error) }
  }
}

async function run(task: ReadTask): Promise<unknown> {
  if (task.kind === 'aggregate') return aggregates.aggregate(task.scope, task.query)
  if (task.kind === 'page') return records.page(task.scope, task.query)
  if (task.kind === 'last_change') return records.lastChange(task.scope, task.feed, task.after, task.until)
  if (task.kind === 'count') return records.count(task.scope, task.conditions, task.connectionId)
  if (task.kind === 'count_changes') return records.countChanges(task.scope, task.range)
  return search.run(receivedTargets(reader, task.targets), task.page, check)
}
