// The suite cannot send a token. This proxy adds one to each request and passes everything else on unchanged.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Endpoint {
  readonly url: string
  close(): void
}

export async function bearerProxy(target: string, token: string): Promise<Endpoint> {
  const { port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    // If Host names the proxy, it is replaced by that of the server. Any other Host is passed on, and the server must
    // refuse it.
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`
    if (headers.host === own || headers.host === own.replace('127.0.0.1', 'localhost'))
      headers.host = `127.0.0.1:${port}`
    if (headers.origin !== undefined) headers.origin = headers.origin.replace(own, `127.0.0.1:${port}`)
    const onward = request(
      { host: '127.0.0.1', port, path: incoming.url, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
