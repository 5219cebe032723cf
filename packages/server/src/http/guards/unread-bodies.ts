import type { IncomingMessage } from 'node:http'

const MAX_BYTES = 67_108_864
const MAX_MS = 5000

/**
 * A refusal in the middle of a body: what the client still sends is read for a moment before the answer leaves. Most
 * clients look at the answer only when they have sent everything, and a connection that closes before shows them nothing.
 */
export async function readOn(incoming: IncomingMessage, status: number): Promise<void> {
  if (incoming.complete || incoming.destroyed) return
  // A body that nobody began to read is passed over by the library; only a refused size is worth the wait there.
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
    // Whoever read the body so far has stopped, and would stop this too.
    incoming.removeAllListeners('data')
    incoming.on('data', count)
    for (const event of ['end', 'error', 'close']) incoming.once(event, done)
    incoming.resume()
  })
}
