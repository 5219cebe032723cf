import { once } from 'node:events'
import { extname } from 'node:path'
import { PassThrough } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Destination, ReportedProblem } from '@pdpp/importers'
import { PdppError } from '@pdpp/protocol'
import type { Failure } from './import.ts'
import { unpackRows } from './packed-rows.ts'
import type {
  FromWorker,
  ImportResult,
  InspectResult,
  RunProgress,
  ServerCalls,
  ToWorker,
  WorkerTask,
} from './worker-messages.ts'

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

interface OpenBlob {
  readonly bytes: PassThrough
  readonly stored: Promise<string>
}

/**
 * Handles the calls of a thread to a destination. Rows are unpacked. A file arrives in parts, and each part is answered
 * when there is room for the next.
 */
class BlobParts {
  readonly calls: ServerCalls
  readonly #to: Destination
  readonly #open = new Map<number, OpenBlob>()
  #begun = 0

  constructor(to: Destination) {
    this.#to = to
    this.calls = {
      ...to,
      ingest: (target, rows) => to.ingest(target, unpackRows(rows)),
      beginBlob: async (...args) => this.#begin(...args),
      addToBlob: (...args) => this.#add(...args),
      endBlob: (...args) => this.#end(...args),
    }
  }

  /** Call when the thread has ended. Incomplete files are dropped. */
  close(): void {
    for (const { bytes } of this.#open.values()) bytes.destroy(new Error('The import ended.'))
    this.#open.clear()
  }

  #begin(...[place, blob]: Parameters<ServerCalls['beginBlob']>): number {
    const bytes = new PassThrough()
    // The store may stop reading early. `end` reports the reason, so the stream needs no other handler.
    bytes.on('error', () => {})
    const stored = this.#to.putBlob(place, { ...blob, open: () => bytes })
    stored.catch(() => {})
    this.#open.set(++this.#begun, { bytes, stored })
    return this.#begun
  }

  async #add(number: number, part: Uint8Array): Promise<void> {
    const { bytes, stored } = this.#open.get(number)!
    if (!bytes.destroyed && !bytes.write(part)) await Promise.race([once(bytes, 'drain'), stored])
  }

  async #end(number: number): Promise<string> {
    const { bytes, stored } = this.#open.get(number)!
    bytes.end()
    return stored.finally(() => this.#open.delete(number))
  }
}
