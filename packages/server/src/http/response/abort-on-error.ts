import type { ServerResponse } from 'node:http'
import type { Transport } from '../environment.ts'

/**
 * If the body fails half-way, destroys the connection, so that the client does not take a partial file for a complete
 * one. The error itself is swallowed: its source has already logged it, and the HTTP library would print a second stack
 * trace.
 */
export function abortOnError(c: Transport, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  if (!outgoing) return stream
  const reader = stream.getReader()
  reader.closed.catch(() => outgoing.destroy())
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await reader.read().catch(() => {
        outgoing.destroy()
        return { done: true, value: undefined }
      })
      if (done) controller.close()
      else controller.enqueue(value!)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
