import type { Destination } from '@pdpp/importers'
import type { FromWorker, ToWorker } from './worker-messages.ts'

type Answered = Extract<ToWorker, { readonly answer: number }>
type Arguments<M extends keyof Destination> = Parameters<Destination[M]>
type Answer<M extends keyof Destination> = ReturnType<Destination[M]>

/** In a thread: the server's destination, called by messages. */
export class RemoteDestination implements Destination {
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

  ingest(...args: Arguments<'ingest'>): Answer<'ingest'> {
    return this.#call('ingest', ...args)
  }

  answered(message: Answered): void {
    const waiting = this.#open.get(message.answer)
    this.#open.delete(message.answer)
    if ('error' in message) waiting?.reject(Object.assign(new Error(message.error.message), message.error))
    else waiting?.resolve(message.result as never)
  }

  #call<M extends keyof Destination>(method: M, ...args: Arguments<M>): Answer<M> {
    const call = ++this.#calls
    return new Promise((resolve, reject) => {
      this.#open.set(call, { resolve, reject })
      this.#send({ call, method, args })
    }) as Answer<M>
  }
}
