// The product's transport with the fixtures of the suite instead of the product's tools. The product never imports it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NORMAL, type ResourceServer } from '@pdpp/mcp-server'
import { answerBySdk } from '../../packages/mcp/src/transports/hosted/hosted-mcp.ts'
import type { Endpoint } from './bearer-proxy.ts'
import { fixtureServer } from './fixtures.ts'

const nothing: ResourceServer = {
  providerUrl: 'http://127.0.0.1',
  get: () => Promise.reject(new Error('The fixtures read nothing.')),
  getBytes: () => Promise.reject(new Error('The fixtures read nothing.')),
  features: () => Promise.reject(new Error('The fixtures read nothing.')),
}

export async function fixtureTransport(): Promise<Endpoint> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    if (incoming.method !== 'POST') return outgoing.writeHead(405, { allow: 'POST' }).end()
    const body = Buffer.concat(chunks).toString('utf8')
    const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    const url = `http://${incoming.headers.host}${incoming.url}`
    const signal = new AbortController().signal
    const call = {
      url,
      headers: () => headers,
      body,
      entrypoint: NORMAL,
      resources: nothing,
      signal: () => signal,
    }
    const answer = await answerBySdk(call, JSON.parse(body), fixtureServer)
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
