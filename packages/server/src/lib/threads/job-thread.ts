import { parentPort, Worker } from 'node:worker_threads'
import { packError, type ThreadError, unpackError } from './thread-error.ts'

/** An idle thread ends after this many milliseconds, because it holds some megabytes. */
const IDLE_MS = 30_000

/** Megabytes for short-lived objects. The results of jobs are bytes, which have their own memory. */
const YOUNG = { maxYoungGenerationSizeMb: 6 }

interface Answer {
  readonly result?: unknown
  readonly error?: ThreadError
}

/** A thread that does one job after another. It starts when it is needed. */
export class JobThread<Job, Result> {
  readonly #file: URL
  readonly #data: object
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** The file with the thread's code, and the data for its start. */
  constructor(file: URL, data: object = {}) {
    this.#file = file
    this.#data = data
  }

  run(job: Job): Promise<Result> {
    const run = this.#last.then(() => this.#send(job))
    this.#last = run.catch(() => {})
    return run
  }

  #send(job: Job): Promise<Result> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    const worker = this.#worker
    worker.ref()
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('A thread ended in the middle of its work.'))
      worker.once('exit', ended)
      worker.once('error', reject)
      worker.once('message', ({ result, error }: Answer) => {
        worker.off('exit', ended)
        worker.off('error', reject)
        worker.unref()
        this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
        if (error) reject(unpackError(error))
        else resolve(result as Result)
      })
      worker.postMessage(job)
    })
  }

  #start(): Worker {
    const worker = new Worker(this.#file, { workerData: this.#data, resourceLimits: YOUNG })
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}

/**
 * Runs in the thread and handles jobs. `memoryOf` returns the memory of a result that is transferred, because a copy
 * would need as much again.
 */
export function answerJobs<Job, Result>(
  work: (job: Job) => Result | Promise<Result>,
  memoryOf: (result: Result) => ArrayBuffer[] = () => [],
): void {
  parentPort!.on('message', async (job: Job) => {
    try {
      const result = await work(job)
      parentPort!.postMessage({ result } satisfies Answer, memoryOf(result))
    } catch (error) {
      parentPort!.postMessage({ error: packError(error) } satisfies Answer)
    }
  })
}
