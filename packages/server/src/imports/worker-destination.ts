import type { Destination, IngestRow, IngestTarget } from '@pdpp/importers'
import { packRows } from './packed-rows.ts'
import type { FromWorker, ServerCalls, ToWorker } from './worker-messages.ts'

type Answered = Extract<ToWorker, { readonly answer: number }>
type Arguments<M extends keyof ServerCalls> = Parameters<ServerCalls[M]>
type Answer<M extends keyof ServerCalls> = ReturnType<ServerCalls[M]>

/** Calls the server's destination from a thread, by messages. */
export class WorkerDestination implements Destination {
  readonly #send: (message: FromWorker) => void
  readonly #open = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  #calls = 0

  constructor(send: (message: FromWorker) => void) {
    this.#send = send
  }

  sources(): Answer<'sources'> {
    return this.#call('sources')
  }

  connections(): Answer<'connections'> {
    return this.#call('connections')
  }

  declare(...args: Arguments<'declare'>): Answer<'declare'> {
    return this.#call('declare', ...args)
  }

  connect(...args: Arguments<'connect'>): Answer<'connect'> {
    return this.#call('connect', ...args)
  }

  recordCounts(...args: Arguments<'recordCounts'>): Answer<'recordCounts'> {
    return this.#call('recordCounts', ...args)
  }

  ingest(target: IngestTarget, rows: readonly IngestRow[]): Answer<'ingest'> {
    return this.#call('ingest', target, packRows(rows))
  }

  hasBlob(...args: Arguments<'hasBlob'>): Answer<'hasBlob'> {
    return this.#call('hasBlob', ...args)
  }

  async putBlob(...[place, { open, ...blob }]: Parameters<Destination['putBlob']>): Promise<string> {
    const number = await this.#call('beginBlob', place, blob)
    for await (const part of open()) await this.#call('addToBlob', number, part)
    return this.#call('endBlob', number)
  }

  answered(message: Answered): void {
    const waiting = this.#open.get(message.answer)
    this.#open.delete(message.answer)
    if ('error' in message) waiting?.reject(Object.assign(new Error(message.error.message), message.error))
    else waiting?.resolve(message.result as never)
  }

  #call<M extends keyof ServerCalls>(method: M, ...args: Arguments<M>): Answer<M> {
    const call = ++this.#calls
    return new Promise((resolve, reject) => {
      this.#open.set(call, { resolve, reject })
      this.#send({ call, method, args })
    }) as Answer<M>
  }
}
