// A proxy in front of a real server. It may change answers like a misconfigured proxy.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Passing {
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The changes to the answer of the server. */
export type Change = (answer: Passing) => Partial<Passing> | undefined

/** Changes one document. */
export function edit(path: string, change: (body: any) => object): Change {
  return (answer) => (answer.path === path ? { body: JSON.stringify(change(JSON.parse(answer.body))) } : undefined)
}

export interface Proxy {
  readonly url: string
  close(): Promise<void>
}

/**
 * Replaces the server's address in bodies and headers by that of the proxy, so that clients take the proxy for the
 * server.
 */
export async function proxy(target: string, change: Change = () => undefined): Promise<Proxy> {
  let url = ''
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const swap = (text: string) =>
      text.replaceAll(url, target).replaceAll(encodeURIComponent(url), encodeURIComponent(target))
    const body = swap(Buffer.concat(chunks).toString('utf8'))
    const answer = await fetch(target + swap(request.url ?? '/'), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      redirect: 'manual',
      ...(body === '' ? {} : { body }),
    })
    const back = (text: string) => text.replaceAll(target, url)
    const { 'content-length': _size, 'content-encoding': _encoding, ...kept } = Object.fromEntries(answer.headers)
    const passing: Passing = {
      path: request.url ?? '/',
      status: answer.status,
      headers: Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, back(value)])),
      body: back(await answer.text()),
    }
    const changed = { ...passing, ...change(passing) }
    const headed = Object.entries(changed.headers).filter(([, value]) => value !== undefined)
    response.writeHead(changed.status, Object.fromEntries(headed)).end(changed.body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return { url, close }
}
