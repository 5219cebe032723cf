import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { DocumentColumns } from '../../search/segments/document-columns.ts'

interface Published {
  /** Segment numbers are unique only within an owner. */
  readonly owner: number
  readonly segment: number
  readonly columns: DocumentColumns
}

type ColumnsMessage = { readonly published: Published } | { readonly owner: number; readonly kept: readonly number[] }

/**
 * In the main thread: passes the columns that one reader thread has decoded to the other threads, so that all share
 * them.
 */
export class ColumnsExchange {
  readonly #known = new Map<number, Map<number, DocumentColumns>>()
  readonly #ports = new Set<MessagePort>()

  /** A port for a new thread. The thread first receives everything that others have published. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#ports.add(port1)
    port1.on('message', (message: ColumnsMessage) => this.#receive(port1, message))
    port1.on('close', () => this.#ports.delete(port1))
    port1.unref()
    for (const [owner, known] of this.#known)
      for (const [segment, columns] of known) port1.postMessage({ owner, segment, columns } satisfies Published)
    return port2
  }

  #receive(from: MessagePort, message: ColumnsMessage): void {
    if ('kept' in message) {
      const kept = new Set(message.kept)
      const newest = Math.max(...message.kept)
      const known = this.#known.get(message.owner)
      // Keeps segments that are younger than the reported ones, because another thread may have published them
      // meanwhile.
      for (const segment of known?.keys() ?? []) if (!kept.has(segment) && segment < newest) known!.delete(segment)
      return
    }
    const { owner, segment, columns } = message.published
    this.#known.set(owner, (this.#known.get(owner) ?? new Map()).set(segment, columns))
    for (const port of this.#ports) if (port !== from) port.postMessage(message.published)
  }
}

/** In a reader thread: the columns of segments that this thread or another one has decoded. */
export class SharedColumns {
  readonly #port: MessagePort
  readonly #received = new Map<number, Map<number, DocumentColumns>>()

  constructor(port: MessagePort) {
    this.#port = port
    port.unref()
  }

  take(owner: number, segment: number): DocumentColumns | undefined {
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      const { owner: to, segment: received, columns } = next.message as Published
      this.#received.set(to, (this.#received.get(to) ?? new Map()).set(received, columns))
    }
    const columns = this.#received.get(owner)?.get(segment)
    this.#received.get(owner)?.delete(segment)
    return columns
  }

  publish(owner: number, segment: number, columns: DocumentColumns): void {
    this.#port.postMessage({ published: { owner, segment, columns } } satisfies ColumnsMessage)
  }

  /** Reports which segments of an owner are in use, so that the others can be dropped. */
  keep(owner: number, segments: readonly number[]): void {
    const received = this.#received.get(owner)
    for (const segment of received?.keys() ?? []) if (!segments.includes(segment)) received!.delete(segment)
    if (segments.length > 0) this.#port.postMessage({ owner, kept: segments } satisfies ColumnsMessage)
  }
}
