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
  /** How often an adapter looked at the kind of its token before a first read. That is no read, so it is not in `sent`. */
  readonly looks: () => number
  close(): Promise<void>
}

/** A plain forwarder: bytes pass unchanged in both directions. */
export async function recordingProxy(target: () => string): Promise<RecordingProxy> {
  const sent: Sent[] = []
  let looks = 0
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url!, target())
    if (incoming.headers['prefer'] === 'return=minimal') looks++
    else
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
    looks: () => looks,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
