// The demo owner's server, and a client's own server that the owner is sent back to.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RunningServer } from '@pdpp/server'
import { copyDemo } from '../fixtures/demo-data.ts'
import { testServer } from '../fixtures/server.ts'

export interface ClientPlace {
  readonly server: RunningServer
  /** The client's redirect URI. */
  readonly back: string
  close(): Promise<void>
}

export async function clientPlace(overrides: Parameters<typeof testServer>[1] = {}): Promise<ClientPlace> {
  let end!: () => Promise<void>
  const atEnd = (given: () => Promise<void>) => {
    end = given
  }
  const { server } = await testServer({}, overrides, { fill: copyDemo, atEnd })
  const client = createServer((_request, response) => response.end('Done')).listen(0, '127.0.0.1')
  await once(client, 'listening')
  const close = async () => {
    client.close()
    await end()
  }
  return { server, back: `http://127.0.0.1:${(client.address() as AddressInfo).port}/back`, close }
}
