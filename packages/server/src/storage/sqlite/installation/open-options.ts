import type { MessagePort, Worker } from 'node:worker_threads'

/** In its own file, because published types must not need those of better-sqlite3. */
export interface OpenOptions {
  /** Renames unusable receipts and starts with none. */
  readonly newReceipts?: boolean | undefined
  readonly writing?: Partial<WriteOptions> | undefined
}

export interface WriteOptions {
  /** `auto`: the thread starts when there is much to write. A start costs more than writing some hundred records. */
  readonly thread: 'auto' | 'always' | 'never'
  /** A thread without long work ends after this many milliseconds, because it holds some megabytes. */
  readonly idleMs: number
  /** Starts the thread, and returns the other end of its messages. */
  readonly connect: (directory: string) => Worker | MessagePort
}
