import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { MergedSegment } from '../../../words/encoded-segment.ts'

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./merge-worker${extname(import.meta.filename)}`, import.meta.url)
/** A thread without work ends, because it holds some megabytes. */
const IDLE_MS = 30_000

export interface MergeTask {
  readonly owner: number
  readonly segments: readonly number[]
}

export interface MergeAnswer {
  readonly merged?: MergedSegment | undefined
  readonly failure?: string
}

/** A thread that merges segments, started when it is needed. It does one thing at a time. */
export class MergeThread {
  readonly #file: string
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(file: string) {
    this.#file = file
  }

  merge(owner: number, segments: readonly number[]): Promise<MergedSegment | undefined> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    const worker = this.#worker
    worker.ref()
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('The thread that merges the word index ended.'))
      worker.once('exit', ended)
      worker.once('error', reject)
      worker.once('message', ({ merged, failure }: MergeAnswer) => {
        worker.off('exit', ended)
        worker.off('error', reject)
        worker.unref()
        this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
        if (failure === undefined) resolve(merged)
        else reject(new Error(failure))
      })
      worker.postMessage({ owner, segments } satisfies MergeTask)
    })
  }

  #start(): Worker {
    const worker = new Worker(WORKER, { workerData: { file: this.#file } })
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
