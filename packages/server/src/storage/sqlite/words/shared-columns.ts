import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { DocumentColumns } from '../../../search/segments/document-columns.ts'

interface Published {
  readonly segment: number
  readonly columns: DocumentColumns
}

type ColumnsMessage = { readonly published: Published } | { readonly kept: readonly number[] }

/** In the main thread: passes the columns that one reader thread has decoded on to the others, so that all share them. */
export class ColumnsExchange {
  readonly #known = new Map<number, DocumentColumns>()
  readonly #ports = new Set<MessagePort>()

  /** A port for a new thread. The thread finds everything there that others have published. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#ports.add(port1)
    port1.on('message', (message: ColumnsMessage) => this.#receive(port1, message))
    port1.on('close', () => this.#ports.delete(port1))
    port1.unref()
    for (const [segment, columns] of this.#known) port1.postMessage({ segment, columns } satisfies Published)
    return port2
  }

  #receive(from: MessagePort, message: ColumnsMessage): void {
    if ('kept' in message) {
      const kept = new Set(message.kept)
      const newest = Math.max(...message.kept)
      // Another thread may have published younger ones since.
      for (const segment of this.#known.keys()) if (!kept.has(segment) && segment < newest) this.#known.delete(segment)
      return
    }
    const { segment, columns } = message.published
    this.#known.set(segment, columns)
    for (const port of this.#ports) if (port !== from) port.postMessage(message.published)
  }
}

/** In a reader thread: columns of segments that this thread or another one has decoded. */
export class SharedColumns {
  readonly #port: MessagePort
  readonly #received = new Map<number, DocumentColumns>()

  constructor(port: MessagePort) {
    this.#port = port
    port.unref()
  }

  take(segment: number): DocumentColumns | undefined {
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      const { segment: received, columns } = next.message as Published
      this.#received.set(received, columns)
    }
    const columns = this.#received.get(segment)
    this.#received.delete(segment)
    return columns
  }

  publish(segment: number, columns: DocumentColumns): void {
    this.#port.postMessage({ published: { segment, columns } } satisfies ColumnsMessage)
  }

  /** Says which segments are in use, so that the others need not be kept. */
  keep(segments: readonly number[]): void {
    for (const segment of this.#received.keys()) if (!segments.includes(segment)) this.#received.delete(segment)
    if (segments.length > 0) this.#port.postMessage({ kept: segments } satisfies ColumnsMessage)
  }
}
