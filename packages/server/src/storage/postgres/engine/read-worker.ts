// A thread that searches, with its own connection.
import { parentPort, workerData } from 'node:worker_threads'
import { RequestSignal } from '../../../lib/request-signal.ts'
import { packError } from '../../../lib/threads/thread-error.ts'
import { lowerPriority } from '../../../lib/threads/thread-priority.ts'
import type { TaskResult } from '../../thread-pool.ts'
import { packResult } from '../../words/packed-result.ts'
import { targetsName } from '../../words/sent-targets.ts'
import { SharedColumns } from '../../words/shared-columns.ts'
import { Streams } from '../records/feeds.ts'
import { Declarations } from '../sources/declaration-reader.ts'
import { ReceivedTargets } from '../words/received-targets.ts'
import { SearchRunner, type TargetSource } from '../words/search-run.ts'
import { Database } from './database.ts'
import type { ReadTask, SearchTask, WorkerStart } from './read-task.ts'

/** How often a thread checks whether its statement is still wanted, in milliseconds. */
const WATCH_MS = 25

const { options, stop, columns } = workerData as WorkerStart
lowerPriority()
const database = new Database({ ...options, maxConnections: 1 })
const streams = new Streams(new Declarations())
const targetsOf = new ReceivedTargets(streams.declarations)
const search = new SearchRunner(streams, new SharedColumns(columns))
const isStopped = () => Atomics.load(stop, 0) !== 0

const abortSource = {
  isAborted: isStopped,
  onAbort: (listener: () => void) => {
    const timer = setInterval(() => isStopped() && listener(), WATCH_MS)
    return () => clearInterval(timer)
  },
}

parentPort!.on('message', async (task: ReadTask) => {
  parentPort!.postMessage(await answer(task))
})

const sourceOf = (text: string): TargetSource => ({
  name: targetsName(text),
  read: (session, subject, epoch) => targetsOf.read(session, subject, text, epoch),
})

async function answer(task: ReadTask): Promise<TaskResult> {
  try {
    const isLoading = task.kind === 'load_index'
    return { result: isLoading ? await database.snapshot((session) => search.loadIndex(session)) : await found(task) }
  } catch (error) {
    return { error: packError(error) }
  }
}

async function found({ subject, targets, page, limitMs }: SearchTask) {
  const signal = new RequestSignal(abortSource, limitMs)
  const [source, check] = [sourceOf(targets), () => signal.check()]
  const result =
    (await search.tryRun(database, subject, source, page, check)) ??
    (await database.cancellable(signal, (session) => search.run(session, subject, source, page, check)))
  return result && packResult(result)
}
