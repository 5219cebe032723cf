import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { type App, createApp } from './app.ts'
import type { ServerConfig } from './config/config.ts'
import { checkExposure } from './config/exposure.ts'
import { type Context, type ContextOverrides, createContext, OWNER } from './context.ts'
import {
  lockDataDirectory,
  prepareDataDirectory,
  publishAddress,
  withdrawAddress,
} from './data-directory/data-directory.ts'
import { endSlowBodies, lookEvery, PATIENCE, type Patience } from './http/guards/slow-senders.ts'
import { readOn } from './http/guards/unread-bodies.ts'
import { HEAD_BYTES, refuseUnreadable } from './http/response/malformed-request.ts'
import { StartupError } from './lib/startup-error.ts'
import { loadAdapter } from './routes/mcp/endpoint.ts'

const DRAIN_MS = 5000
const IDLE_LOOK_MS = 100

export interface RunningServer {
  /** Where this machine reaches it. */
  readonly url: string
  /** What people and clients are told. */
  readonly publicUrl: string
  readonly context: Context
  readonly app: App
  close(): Promise<void>
}

/** Opens the data directory, alone, without listening: what commands use when no server runs. */
export async function openOffline(config: ServerConfig, overrides: ContextOverrides = {}): Promise<RunningServer> {
  prepareDataDirectory(config.dataDir)
  const lock = lockDataDirectory(config.dataDir)
  try {
    const log = config.log === 'none' ? () => {} : logToStderr
    const context = await createContext(config, { log, ...overrides })
    const url = addressOf(config.host, config.port)
    const close = async () => {
      await context.close()
      lock.release()
    }
    const app = createApp(context, { address: () => url, log: logToStderr })
    return { url, publicUrl: config.publicUrl ?? url, context, app, close }
  } catch (error) {
    lock.release()
    throw error
  }
}

export async function startServer(config: ServerConfig, overrides: ContextOverrides = {}): Promise<RunningServer> {
  const { context, close: closeStore } = await openOffline(config, overrides)
  let address = ''
  const app = createApp(context, { address: () => address, log: logToStderr })
  const patience = { ...PATIENCE, ...overrides.patience }
  const server = createServer(app, patience)
  refuseUnreadable(server)
  endSlowBodies(server, patience)
  try {
    checkExposure(config, await context.signIn.hasPassword(OWNER))
    address = addressOf(config.host, await listen(server, config))
  } catch (error) {
    await closeStore()
    throw error
  }
  // Imports go on in a server that stays, not in one that is opened for a command.
  await context.imports.resume(OWNER)
  context.eventRunner.start()
  await context.idleSubscriptions.start(OWNER)
  const publicUrl = config.publicUrl ?? address
  publishAddress(config.dataDir, { url: address, publicUrl })
  void loadAdapter()
  context.storage.makeReady()
  const close = async () => {
    withdrawAddress(config.dataDir)
    await context.openStreams.close()
    // Requests that wait for events would hold up the end.
    await context.eventRunner.stop()
    await drain(server)
    await closeStore()
  }
  return { url: address, publicUrl, context, app, close }
}

function createServer(app: App, { headersMs }: Patience): Server {
  const serverOptions = {
    // Bodies have a limit of their own: a long upload is no slow one.
    requestTimeout: 0,
    headersTimeout: headersMs,
    connectionsCheckingInterval: lookEvery(headersMs),
    maxHeaderSize: HEAD_BYTES,
  }
  const fetch = async (request: Request, env: object) => {
    const answer = await app.fetch(request, env)
    if (answer.status >= 400) await readOn((env as { incoming: IncomingMessage }).incoming, answer.status)
    return answer
  }
  return createAdaptorServer({ fetch, serverOptions }) as Server
}

/** Where this machine reaches it: also a server that listens on every address listens on loopback. */
function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function listen(server: Server, { host, port }: ServerConfig): Promise<number> {
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
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    // Clients keep a connection open after its last answer.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(idle)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function logToStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}
