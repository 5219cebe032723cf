import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type App, createApp } from './app.ts'
import type { ServerConfig } from './config/config.ts'
import { checkExposure } from './config/exposure.ts'
import { type Context, type ContextOverrides, createContext, OWNER } from './context.ts'
import {
  lockDataDirectory,
  placeOf,
  prepareDataDirectory,
  publishAddress,
  withdrawAddress,
} from './data-directory/data-directory.ts'
import { writeProblem } from './data-directory/write-problem.ts'
import { checkIntervalMs, endSlowBodies, SEND_TIME_LIMITS, type SendTimeLimits } from './http/guards/slow-senders.ts'
import { drainUnreadBody } from './http/guards/unread-bodies.ts'
import { HEAD_BYTES, refuseMalformedRequests } from './http/response/malformed-request.ts'
import { StartupError } from './lib/startup-error.ts'
import { type Rehearsal, rehearse } from './rehearsal.ts'
import { loadAdapter } from './routes/mcp/endpoint.ts'

const DRAIN_MS = 5000
const IDLE_LOOK_MS = 100

export interface RunningServer {
  /** The address for programs on this machine. */
  readonly url: string
  /** The address that owners and clients see. */
  readonly publicUrl: string
  readonly context: Context
  readonly app: App
  close(): Promise<void>
}

/** Opens and locks the data directory without listening on a port. Commands use it when no server runs. */
export async function openOffline(config: ServerConfig, overrides: ContextOverrides = {}): Promise<RunningServer> {
  prepareDataDirectory(config.dataDir)
  const lock = lockDataDirectory(config.dataDir)
  try {
    const log = config.log === 'none' ? () => {} : logToStderr
    const context = await createContext(config, { log, ...placed(config), ...overrides })
    const url = addressOf(config.host, config.port)
    const close = async () => {
      await context.close()
      lock.release()
    }
    let app: App | undefined
    return {
      url,
      publicUrl: config.publicUrl ?? url,
      context,
      // Made when it is used, because most commands need only the context, and a server makes one with its own address.
      get app() {
        app ??= createApp(context, { address: () => url, log: logToStderr })
        return app
      },
      close,
    }
  } catch (error) {
    lock.release()
    throw writeProblem(config.dataDir, error) ?? error
  }
}

export async function startServer(config: ServerConfig, overrides: ContextOverrides = {}): Promise<RunningServer> {
  const { context, close: closeStore } = await openOffline(config, overrides)
  let address = ''
  const app = createApp(context, { address: () => address, log: logToStderr })
  const sendTimeLimits = { ...SEND_TIME_LIMITS, ...overrides.sendTimeLimits }
  const server = createServer(app, sendTimeLimits)
  refuseMalformedRequests(server)
  endSlowBodies(server, sendTimeLimits)
  try {
    checkExposure(config, await context.signIn.hasPassword(OWNER))
    address = addressOf(config.host, await listen(server, config))
  } catch (error) {
    await closeStore()
    throw error
  }
  const publicUrl = config.publicUrl ?? address
  const adapter = loadAdapter()
  const close = async () => {
    withdrawAddress(config.dataDir)
    await context.openStreams.close()
    // Requests that wait for events would delay the shutdown.
    await context.eventRunner.stop()
    await drain(server)
    // Wait for the module, because an error after the shutdown could not be reported.
    await adapter
    await closeStore()
  }
  try {
    // Resume interrupted imports only in a long-running server, not when a command opens the directory briefly.
    await context.imports.resume(OWNER)
    context.eventRunner.start()
    await context.idleSubscriptions.start(OWNER)
    publishAddress(config.dataDir, { url: address, publicUrl })
  } catch (error) {
    // A server whose start failed would go on listening, and no command would find it.
    await close()
    throw writeProblem(config.dataDir, error) ?? error
  }
  // Nobody waits for this. If it fails, the first search does the same work and says what is wrong.
  warmUp(context, app, { address: publicUrl, localAddress: config.log === 'requests' ? undefined : address }).catch(
    () => undefined,
  )
  return { url: address, publicUrl, context, app, close }
}

async function warmUp(
  services: Context,
  { direct }: App,
  addresses: Pick<Rehearsal, 'address' | 'localAddress'>,
): Promise<void> {
  const { storage } = services
  const words = await storage.makeReady()
  const isBusy = () => storage.readLoad().running > 0
  await rehearse(direct, { ...addresses, words, isBusy, services, subjectId: OWNER })
}

function createServer(app: App, { headersMs }: SendTimeLimits): Server {
  const serverOptions = {
    // No limit for a whole request, because a large upload may take long. endSlowBodies ends bodies that stall.
    requestTimeout: 0,
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkIntervalMs(headersMs),
    maxHeaderSize: HEAD_BYTES,
  }
  const fetch = async (request: Request, env: object) => {
    const answer = await app.fetch(request, env)
    if (answer.status >= 400) await drainUnreadBody((env as { incoming: IncomingMessage }).incoming, answer.status)
    return answer
  }
  const listener = getRequestListener(fetch)
  return createHttpServer(serverOptions, (incoming, outgoing) => {
    if (!app.direct.handle(incoming, outgoing)) void listener(incoming, outgoing)
  })
}

/** A database belongs to one data directory at a time. */
const placed = ({ databaseUrl, dataDir }: ServerConfig) =>
  databaseUrl === undefined ? {} : { place: placeOf(dataDir) }

/** The address for programs on this machine. A server that listens on every address is reached on loopback. */
function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function listen(server: Server, { host, port }: ServerConfig): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(
          new StartupError(
            `Port ${port} is in use. Stop the program that uses it, or choose another port with PORT or --port.`,
          ),
        )
      else if (error.code === 'EACCES')
        reject(new StartupError(`This user may not open port ${port}. Choose one above 1023 with PORT or --port.`))
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
        reject(
          new StartupError(
            `${host} is not an address of this computer. Choose one with PDPP_HOST or --host, such as 127.0.0.1.`,
          ),
        )
      else reject(error)
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** Lets running requests finish, and cuts off those that still run after DRAIN_MS. */
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
