// Data that a server in this process has written, for server processes that are killed later.
import { cpSync } from 'node:fs'
import type { ServerConfig } from '@pdpp/server'
import type { TestServer } from '../fixtures/server.ts'
import { storeOf } from '../fixtures/test-store.ts'

interface Options {
  readonly atEnd: (end: () => Promise<void>) => void
}

/** Starts a server, lets it be filled, and leaves what it stored in a data directory, or in its database. */
export async function preparedData<S extends TestServer, T>(
  dataDir: string,
  start: (changes: Partial<ServerConfig>, options: Options) => Promise<S>,
  fill: (server: S) => Promise<T>,
): Promise<T> {
  let end = async () => {}
  const server = await start(await storeOf(dataDir), {
    atEnd: (close) => {
      end = close
    },
  })
  const filled = await fill(server)
  const { config } = server.server.context
  cpSync(config.dataDir, dataDir, { recursive: true, filter: (path) => !/server\.(lock|json)$/.test(path) })
  await end()
  return filled
}
