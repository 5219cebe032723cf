import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Destination } from '@pdpp/importers'
import { unpackRows } from './packed-rows.ts'
import type { ServerCalls } from './worker-messages.ts'

interface OpenBlob {
  readonly bytes: PassThrough
  readonly stored: Promise<string>
}

/**
 * Handles the calls of a thread to a destination. Rows are unpacked. A file arrives in parts, and each part is answered
 * when there is room for the next.
 */
export class BlobParts {
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
