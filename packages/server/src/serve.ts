import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type ServerType } from '@hono/node-server'
import { type App, createApp } from './app.ts'
import type { ServerConfig } from './config/config.ts'
import { type Context, type ContextOverrides, createContext } from './context.ts'
import { lockDataDirectory, prepareDataDirectory, publishAddress, withdrawAddress } from './data-directory.ts'
import { StartupError } from './lib/startup-error.ts'

const DRAIN_MS = 5000

export interface RunningServer {
  readonly url: string
  readonly context: Context
  readonly app: App
  close(): Promise<void>
}

/** Opens the data directory, alone, without listening: what commands use when no server runs. */
export async function openOffline(config: ServerConfig, overrides: ContextOverrides = {}): Promise<RunningServer> {
  prepareDataDirectory(config.dataDir)
  const lock = lockDataDirectory(config.dataDir)
  try {
    const context = await createContext(config, overrides)
    const url = config.publicUrl ?? `http://${config.host}:${config.port}`
    const close = async () => {
      await context.close()
      lock.release()
    }
    return { url, context, app: createApp(context, { origin: () => url, log: logToStderr }), close }
  } catch (error) {
    lock.release()
    throw error
  }
}

export async function startServer(config: ServerConfig, overrides: ContextOverrides = {}): Promise<RunningServer> {
  const { context, close: closeStore } = await openOffline(config, overrides)
  let origin = ''
  const app = createApp(context, { origin: () => config.publicUrl ?? origin, log: logToStderr })
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: { requestTimeout: 0, headersTimeout: 20_000 } })
  try {
    const port = await listen(server, config)
    origin = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  } catch (error) {
    await closeStore()
    throw error
  }
  publishAddress(config.dataDir, origin)
  const close = async () => {
    withdrawAddress(config.dataDir)
    await drain(server)
    await closeStore()
  }
  return { url: origin, context, app, close }
}

function listen(server: ServerType, { host, port }: ServerConfig): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new StartupError(`Port ${port} is in use. Stop what uses it, or choose another with PORT or --port.`))
      else if (error.code === 'EACCES')
        reject(
          new StartupError(`Port ${port} may not be opened by this user. Choose one above 1023 with PORT or --port.`),
        )
      else reject(error)
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** Requests under way finish; what still runs after a few seconds is cut off. */
function drain(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), DRAIN_MS)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    if ('closeIdleConnections' in server) server.closeIdleConnections()
  })
}

function logToStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}
