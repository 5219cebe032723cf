import { extname } from 'node:path'
import { type MessagePort, Worker } from 'node:worker_threads'
import { PdppError } from '@pdpp/protocol'
import { unpackError } from '../../../../lib/threads/thread-error.ts'
import type { WriteOptions } from '../../installation/open-options.ts'
import type { WrittenFiles } from '../database.ts'
import {
  type FromWriter,
  packCall,
  type ToWriter,
  unpackResult,
  type WriteAnswer,
  type WriteCall,
  type WriterStart,
} from './write-message.ts'

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./write-worker${extname(import.meta.filename)}`, import.meta.url)

/** Max. calls that wait for the thread. */
const MAX_WAITING = 2000

export interface WriteEvents {
  readonly written: (written: WrittenFiles) => void
  readonly removedBlob: (sha256: string) => void
  /** Called if the thread ends although nobody closed it. */
  readonly ended: () => void
}

interface Pending {
  readonly call: WriteCall
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

type WriterChannel = Worker | MessagePort

/** Megabytes for short-lived objects. Records are written within a few turns, so more would cost memory for nothing. */
const YOUNG = { maxYoungGenerationSizeMb: 6 }

export function startWorker(directory: string): Worker {
  const workerData: WriterStart = { directory }
  return new Worker(WORKER, { workerData, resourceLimits: YOUNG })
}

/** The thread that writes, as the main thread sees it. */
export class WriteThread {
  readonly #channel: WriterChannel
  readonly #events: WriteEvents
  readonly #pending = new Map<number, Pending>()
  readonly #ended: Promise<void>
  #isClosed = false
  #lastId = 0

  private constructor(channel: WriterChannel, events: WriteEvents) {
    this.#channel = channel
    this.#events = events
    channel.on('message', (message: FromWriter) => this.#receive(message))
    channel.once('error', (error: Error) => this.#end(error))
    this.#ended = new Promise((resolve) => {
      for (const event of ['exit', 'close'] as const)
        channel.once(event, () => {
          this.#end(new Error('The writing thread ended.'))
          resolve()
        })
    })
    channel.unref()
  }

  /** Resolves when the thread can write. */
  static async start(
    directory: string,
    events: WriteEvents,
    connect: WriteOptions['connect'] = startWorker,
  ): Promise<WriteThread> {
    const channel = connect(directory)
    await new Promise<void>((resolve, reject) => {
      channel.once('message', () => resolve())
      channel.once('error', reject)
      channel.once('exit', () => reject(new Error('The writing thread ended while it started.')))
    })
    return new WriteThread(channel, events)
  }

  get pending(): number {
    return this.#pending.size
  }

  async call(call: WriteCall, isLong: boolean): Promise<unknown> {
    if (this.#isClosed) throw new Error('The writing thread ended.')
    if (this.#pending.size >= MAX_WAITING)
      throw new PdppError('server_busy', 'Too many writes are waiting.', { retryAfterSeconds: 5 })
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#post({ id, isLong, ...packCall(call) })
      this.#pending.set(id, { call: { ...call, values: [] }, resolve, reject })
      // Only a thread with work keeps the process alive.
      if (this.#pending.size === 1) this.#channel.ref()
    })
  }

  /** Lets the thread finish the calls that it got. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true
      this.#channel.ref()
      this.#post('close')
    }
    await this.#ended
  }

  #post(message: ToWriter): void {
    this.#channel.postMessage(message)
  }

  #receive(message: FromWriter): void {
    if (message === 'ready') return
    if ('written' in message) this.#events.written(message.written)
    else if ('removedBlob' in message) this.#events.removedBlob(message.removedBlob)
    else this.#answer(message)
  }

  #answer({ id, result, error }: WriteAnswer): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (this.#pending.size === 0 && !this.#isClosed) this.#channel.unref()
    if (error) pending?.reject(unpackError(error))
    else pending?.resolve(unpackResult(pending.call, result))
  }

  #end(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
    if (!this.#isClosed) this.#events.ended()
    this.#isClosed = true
  }
}
