import { PdppError } from '@pdpp/protocol'
import type { RecordLines, RecordWrite } from '../../../../records/record-store.ts'
import type { WriteOptions } from '../../installation/open-options.ts'
import type { Databases } from '../database.ts'
import { isLargeWork } from './large-work.ts'
import type { WriteCall } from './write-message.ts'
import type { WriteThread } from './write-thread.ts'
import { isLong, type StoreName, type WrittenStores, writesOf } from './written-stores.ts'

/**
 * Records in one transaction: some milliseconds in the main thread, some tens of milliseconds in the writing thread.
 */
const BATCH = { here: 50, inThread: 1000 }
/** The main thread writes this many records in a row, and then this many a second, before the thread takes over. */
const HERE = { records: 1000, perSecond: 100 }

/** Stores without their classes, so that they can be spread. */
export type RoutedStores = {
  readonly [Name in StoreName]: { readonly [Method in keyof WrittenStores[Name]]: WrittenStores[Name][Method] }
}

type Methods = Record<string, (...values: readonly unknown[]) => Promise<unknown>>

/**
 * Every write to the main file goes through here. SQLite has one write lock, and a main thread that waits for it
 * holds up all requests. So one thread writes at a time: the main thread while there is little to write, the
 * writing thread from the moment there is more.
 */
export class WriteRouter {
  readonly #stores: WrittenStores
  readonly #databases: Databases
  readonly #limits: Omit<WriteOptions, 'connect'>
  readonly #start: (ended: () => void) => Promise<WriteThread>
  #thread: WriteThread | undefined
  #starting: Promise<void> | undefined
  /** Calls under way in the main thread. */
  #running = 0
  #onQuiet: (() => void)[] = []
  /** Set while no call may begin. */
  #held: Promise<void> | undefined
  #isClosed = false
  #idle: NodeJS.Timeout | undefined
  #recent = { records: 0, at: 0 }

  constructor(
    stores: WrittenStores,
    databases: Databases,
    start: (ended: () => void) => Promise<WriteThread>,
    limits: Partial<WriteOptions> = {},
  ) {
    this.#stores = stores
    this.#databases = databases
    this.#start = start
    this.#limits = { thread: 'auto', idleMs: 60_000, ...limits }
  }

  get hasThread(): boolean {
    return this.#thread !== undefined
  }

  /** How many records a caller should write at once. */
  get batchRows(): number {
    return this.#thread ? BATCH.inThread : BATCH.here
  }

  /** The same stores, but their writes go through this router. */
  routed(): RoutedStores {
    const names = Object.keys(this.#stores) as StoreName[]
    return Object.fromEntries(names.map((name) => [name, this.#routedStore(name)])) as unknown as RoutedStores
  }

  #routedStore(store: StoreName): object {
    const writes = new Set(writesOf(store))
    const methods = this.#stores[store] as unknown as Methods
    return Object.fromEntries(
      methodNames(methods).map((method) => [
        method,
        writes.has(method)
          ? (...values: unknown[]) => this.#call({ store, method, values })
          : methods[method]!.bind(methods),
      ]),
    )
  }

  async #call(call: WriteCall): Promise<unknown> {
    while (this.#held) await this.#held
    const long = isLong(call.store, call.method)
    if (!this.#thread && this.#needsThread(call)) await this.#startThread()
    // A call with many records waits while the thread starts. The thread soon makes up for the delay.
    if (this.#starting && recordsIn(call) >= BATCH.here) await this.#starting.catch(() => {})
    while (this.#held) await this.#held
    if (this.#isClosed) throw new PdppError('server_busy', 'The server is stopping.', { retryAfterSeconds: 5 })
    if (!this.#thread) return this.#runHere(call)
    if (long) this.#restartIdle()
    try {
      return await this.#thread.call(call, long)
    } finally {
      this.#settle()
    }
  }

  async #runHere(call: WriteCall): Promise<unknown> {
    const { store, method, values } = call
    this.#running++
    try {
      this.#count(recordsIn(call))
      return await (this.#stores[store] as unknown as Methods)[method]!(...values)
    } finally {
      this.#running--
      this.#settle()
    }
  }

  /** Runs the work while nobody writes. Meanwhile calls wait, but the main thread does not. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#held) await this.#held
    let release = () => {}
    this.#held = new Promise((resolve) => {
      release = resolve
    })
    try {
      await this.#quiet()
      await this.#merging('rest')
      return await work()
    } finally {
      await this.#merging('wake')
      this.#held = undefined
      release()
    }
  }

  /** Segments are merged between the calls, in the thread that writes. */
  async #merging(method: 'rest' | 'wake'): Promise<void> {
    if (this.#thread) await this.#thread.call({ store: 'words', method, values: [] }, false).catch(() => {})
    else await this.#stores.words[method]()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    await this.#starting?.catch(() => {})
    await this.#thread?.close()
    await this.#stores.words.close()
  }

  #needsThread(call: WriteCall): boolean {
    const { thread } = this.#limits
    if (thread !== 'auto') return thread === 'always'
    return isLargeWork(this.#stores, this.#databases.reader, call)
  }

  #count(records: number): void {
    if (records === 0) return
    const now = performance.now()
    const forgotten = ((now - this.#recent.at) / 1000) * HERE.perSecond
    this.#recent = { records: Math.max(0, this.#recent.records - forgotten) + records, at: now }
    if (this.#recent.records > HERE.records && this.#limits.thread === 'auto') this.#startThread().catch(() => {})
  }

  #startThread(): Promise<void> {
    this.#starting ??= this.#takeOver().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  async #takeOver(): Promise<void> {
    if (this.#isClosed) return
    const thread = await this.#start(() => this.#takeBack(thread))
    await this.exclusive(async () => {
      this.#databases.allowWrites(false)
      this.#thread = thread
    })
    this.#restartIdle()
  }

  #takeBack(thread: WriteThread): void {
    if (this.#thread !== thread) return
    this.#thread = undefined
    this.#databases.allowWrites(true)
    void this.#stores.words.wake()
    this.#settle()
  }

  #restartIdle(): void {
    clearTimeout(this.#idle)
    if (this.#limits.thread !== 'auto' || this.#isClosed) return
    this.#idle = setTimeout(() => void this.#retire(), this.#limits.idleMs).unref()
  }

  async #retire(): Promise<void> {
    await this.exclusive(async () => {
      const thread = this.#thread
      if (!thread || this.#isClosed) return
      await thread.close()
      this.#takeBack(thread)
    })
  }

  /** Resolves when no call is under way. */
  #quiet(): Promise<void> {
    if (this.#isQuiet()) return Promise.resolve()
    return new Promise((resolve) => this.#onQuiet.push(resolve))
  }

  #isQuiet(): boolean {
    return this.#running === 0 && (this.#thread?.pending ?? 0) === 0
  }

  #settle(): void {
    if (!this.#isQuiet()) return
    for (const resolve of this.#onQuiet.splice(0)) resolve()
  }
}

/** How many records a call writes. */
function recordsIn({ store, method, values }: WriteCall): number {
  if (store !== 'records') return 0
  if (method === 'write') return (values[1] as readonly RecordWrite[]).length
  return method === 'writeLines' ? (values[1] as RecordLines).ends.length : 0
}

function methodNames(store: object): string[] {
  const names = new Set<string>()
  for (let at = Object.getPrototypeOf(store); at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (name !== 'constructor' && typeof value === 'function') names.add(name)
  return [...names]
}
