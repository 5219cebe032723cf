// The suite knows no tokens. This stands between: it adds one, and passes everything else on as it was sent.
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
    // A Host that names the proxy means the server behind it; any other is sent on, for the server to refuse.
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
