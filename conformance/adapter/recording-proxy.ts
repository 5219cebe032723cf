import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Everything that reached the server through it: the proof that something was sent so, or was not sent. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string | undefined
}

export interface RecordingProxy {
  readonly url: string
  readonly sent: Sent[]
  close(): Promise<void>
}

/** A plain forwarder: bytes pass unchanged in both directions. */
export async function recordingProxy(target: () => string): Promise<RecordingProxy> {
  const sent: Sent[] = []
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url!, target())
    // What adapters ask before their first read is no read.
    if (incoming.headers['prefer'] !== 'return=minimal')
      sent.push({
        method: incoming.method!,
        path: url.pathname,
        query: url.searchParams,
        authorization: incoming.headers.authorization,
      })
    const onward = request(`${target()}${incoming.url}`, {
      method: incoming.method!,
      headers: { ...incoming.headers, host: url.host },
    })
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
