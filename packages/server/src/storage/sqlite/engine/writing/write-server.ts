import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { packError } from '../../../../lib/threads/thread-error.ts'
import { BLOB_FOLDER, BlobFiles } from '../../../blob-files.ts'
import { MAIN_FILE } from '../../installation/file-check.ts'
import { openMain, type WriteDatabases } from '../database.ts'
import { type FromWriter, packResult, type ToWriter, unpackCall } from './write-message.ts'
import { createWrittenStores, type WrittenStores } from './written-stores.ts'

type Call = Exclude<ToWriter, 'close'>
type Method = (...values: readonly unknown[]) => Promise<unknown>

const NOTHING = { isReported: false, isAltered: false }

/** Answers calls from a port with its own connections to the main file. One call after another, short ones first. */
export class WriteServer {
  readonly #port: MessagePort
  readonly #databases: WriteDatabases
  readonly #stores: WrittenStores
  readonly #waiting: { short: Call[]; long: Call[] } = { short: [], long: [] }
  #written: typeof NOTHING | undefined
  #isRunning = false
  #isClosing = false

  constructor(port: MessagePort, directory: string) {
    this.#port = port
    this.#databases = openMain(join(directory, MAIN_FILE), {
      written: (isReported) => this.#note({ isReported }),
      altered: () => this.#note({ isAltered: true }),
    })
    const files = new BlobFiles(join(directory, BLOB_FOLDER), undefined, (removedBlob) => this.#send({ removedBlob }))
    this.#stores = createWrittenStores(this.#databases, directory, files)
    port.on('message', (message: ToWriter) => {
      this.#take(message)
      void this.#runAll()
    })
    this.#send('ready')
  }

  #take(message: ToWriter): void {
    if (message === 'close') this.#isClosing = true
    else this.#waiting[message.isLong ? 'long' : 'short'].push(message)
  }

  /** Messages that came during the last call must be seen before the next one is chosen. */
  #next(): Call | undefined {
    for (let one = receiveMessageOnPort(this.#port); one; one = receiveMessageOnPort(this.#port))
      this.#take(one.message as ToWriter)
    return this.#waiting.short.shift() ?? this.#waiting.long.shift()
  }

  async #runAll(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    for (let call = this.#next(); call; call = this.#next()) {
      // A call that works in slices continues while later calls run.
      void this.#run(call)
      await nextTurn()
      this.#report()
    }
    this.#isRunning = false
    if (this.#isClosing) await this.#close()
  }

  async #run({ id, ...call }: Call): Promise<void> {
    let answer: FromWriter
    try {
      const { store, method, values } = unpackCall(call)
      const result = await (this.#stores[store] as unknown as Record<string, Method>)[method]!(...values)
      answer = { id, result: packResult(call, result) }
    } catch (error) {
      answer = { id, error: packError(error) }
    }
    this.#report()
    this.#send(answer)
  }

  #note(written: Partial<typeof NOTHING>): void {
    const known = this.#written ?? NOTHING
    const isNews = written.isAltered === true || (written.isReported === true && !known.isReported)
    // Called after every statement.
    if (this.#written && !isNews) return
    this.#written = {
      isReported: known.isReported || written.isReported === true,
      isAltered: known.isAltered || written.isAltered === true,
    }
  }

  /** Tells the main thread of writes, before it gets the answer of the call that wrote. */
  #report(): void {
    if (this.#written) this.#send({ written: this.#written })
    this.#written = undefined
  }

  #send(message: FromWriter): void {
    this.#port.postMessage(message)
  }

  async #close(): Promise<void> {
    await this.#stores.words.close()
    for (const { db } of [this.#databases.reader, this.#databases.writer]) db.close()
    this.#port.close()
  }
}
