import type { ServerResponse } from 'node:http'
import type { Transport } from '../environment.ts'

/**
 * Bytes that are worth something whole: where they break off, the connection does too. Anything else would be taken for
 * a part of them, also the words of an error. Whoever broke them off has said so; the library below would say it again,
 * with a trace.
 */
export function cutShort(c: Transport, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
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
