import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Destination, ReportedProblem } from '@pdpp/importers'
import { PdppError } from '@pdpp/protocol'
import { BlobParts } from './blob-parts.ts'
import type { Failure } from './import.ts'
import type { FromWorker, ImportResult, InspectResult, RunProgress, ToWorker, WorkerTask } from './worker-messages.ts'

/** Next to this file, with the same extension: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./import-worker${extname(import.meta.filename)}`, import.meta.url)
/** Memory limits of a thread. A file that needs more ends its import, not the server. */
const MEMORY = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 6 }

export type JobResult =
  | { readonly inspected: InspectResult }
  | { readonly imported: ImportResult }
  | { readonly failed: Failure }

export interface JobHooks {
  readonly destination: Destination
  readonly onProblems: (problems: readonly ReportedProblem[], uncounted: number) => Promise<void>
}

/** One thread that works on an import. Its records are written on the main thread, by the ingest service. */
export class ImportJob {
  readonly result: Promise<JobResult>
  progress: RunProgress | undefined
  readonly #worker: Worker
  readonly #hooks: JobHooks
  readonly #blobs: BlobParts
  /** Unfinished calls of the thread. The result waits for them. */
  #pending: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(task: WorkerTask, hooks: JobHooks) {
    this.#hooks = hooks
    this.#blobs = new BlobParts(hooks.destination)
    this.#worker = new Worker(WORKER, { workerData: task, resourceLimits: MEMORY })
    this.result = new Promise<JobResult>((resolve) => {
      this.#worker.on('message', (message: FromWorker) => this.#take(message, resolve))
      this.#worker.on('error', (error) => resolve({ failed: failureOf(error) }))
      this.#worker.on('exit', () => resolve({ failed: failureOf(new Error('its thread ended')) }))
    }).then(async (result) => {
      this.#blobs.close()
      await this.#pending
      return result
    })
  }

  /** Stops after the current batch. */
  stop(): void {
    this.#post({ stop: true })
  }

  /** Stops immediately. Resolves when the thread's calls are done. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#worker.terminate()
    this.#blobs.close()
    await this.#pending
  }

  #take(message: FromWorker, resolve: (result: JobResult) => void): void {
    if ('progress' in message) this.progress = message.progress
    else if ('problems' in message)
      this.#pending = this.#pending
        .then(() => this.#hooks.onProblems(message.problems, message.uncounted))
        .catch(() => {})
    else if ('call' in message) this.#pending = Promise.all([this.#pending, this.#answer(message)])
    else resolve(message)
  }

  async #answer({ call, method, args }: Extract<FromWorker, { call: number }>): Promise<void> {
    if (this.#isOver) return
    try {
      const work = this.#blobs.calls[method] as (...args: readonly unknown[]) => Promise<unknown>
      this.#post({ answer: call, result: await work(...args) })
    } catch (error) {
      const { message } = error as Error
      const known = error instanceof PdppError ? error : new PdppError('api_error', message)
      this.#post({ answer: call, error: { message, nextStep: known.nextStep, status: known.status, code: known.code } })
    }
  }

  #post(message: ToWorker): void {
    if (!this.#isOver) this.#worker.postMessage(message)
  }
}

function failureOf(error: Error): Failure {
  const memory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return {
    message: memory ? 'Reading it takes more memory than an import may use.' : `Reading failed: ${error.message}.`,
    nextStep: 'Import the files in smaller parts, or with `pdpp import`.',
  }
}
