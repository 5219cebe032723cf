import type { IncomingMessage } from 'node:http'

const MAX_BYTES = 67_108_864
const MAX_MS = 5000

/**
 * When a request is refused half-way through its body, reads and drops the rest for a few seconds before answering.
 * Most clients read the answer only after they have sent everything; if the connection closes earlier, they never see
 * it.
 */
export async function drainUnreadBody(incoming: IncomingMessage, status: number): Promise<void> {
  if (incoming.complete || incoming.destroyed) return
  // The HTTP library skips a body that was never read. Wait for such a body only if its size was refused.
  if (status !== 413 && !incoming.readableDidRead) return
  await new Promise<void>((resolve) => {
    let bytes = 0
    const done = () => {
      clearTimeout(timer)
      for (const event of ['end', 'error', 'close']) incoming.off(event, done)
      incoming.off('data', count)
      resolve()
    }
    const count = (chunk: Uint8Array) => {
      bytes += chunk.length
      if (bytes > MAX_BYTES) done()
    }
    const timer = setTimeout(done, MAX_MS)
    // The previous reader has stopped; its listeners would pause the stream again.
    incoming.removeAllListeners('data')
    incoming.on('data', count)
    for (const event of ['end', 'error', 'close']) incoming.once(event, done)
    incoming.resume()
  })
}
