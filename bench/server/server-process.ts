// Runs `pdpp serve` as a separate process and sends requests to it with a minimal HTTP client.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'pdpp.mjs')

export interface ServerProcess {
  readonly port: number
  /** Undefined if the system does not report it. */
  residentMegabytes(): number | undefined
  /** CPU time of all its threads, in milliseconds. Undefined if the system does not report it. */
  cpuMs(): number | undefined
  /** The same, exactly, but without threads that have ended. For a single request. */
  exactCpuMs(): number | undefined
  stop(): Promise<void>
}

export const startServerProcess = (dataDir: string): Promise<ServerProcess> =>
  startProcess([MAIN, 'serve', '--port', '0'], { PDPP_DATA_DIR: dataDir })

/** Starts a program that prints the address on which it listens. */
export async function startProcess(args: readonly string[], env: Record<string, string> = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let printed = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The server ended at once. It printed: ${printed}`)))
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
      const address = /http:\/\/127\.0\.0\.1:(\d+)\D/.exec(printed)
      if (address) resolve(Number(address[1]))
    })
  })
  return {
    port,
    residentMegabytes: () => residentMegabytes(child.pid!),
    cpuMs: () => cpuMs(child.pid!),
    exactCpuMs: () => exactCpuMs(child.pid!) ?? cpuMs(child.pid!),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

function residentMegabytes(pid: number): number | undefined {
  try {
    const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    return match ? Number(match[1]) / 1024 : undefined
  } catch {
    return
  }
}

/** The kernel reports CPU time in hundredths of a second. */
const TICK_MS = 10

function cpuMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) * TICK_MS
  } catch {
    return
  }
}

function exactCpuMs(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const nanoseconds = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]),
    )
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6
  } catch {
    return
  }
}

/**
 * A client with one keep-alive connection that uses the socket directly. It must be much faster than the server.
 * Otherwise every route would look equally fast.
 */
export class KeepAliveClient {
  #socket: Socket
  readonly #port: number
  #received = ''
  /** The head of the last answer. */
  lastHead = ''
  #answered: ((status: number) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  constructor(port: number) {
    this.#port = port
    this.#socket = this.#connect()
  }

  #connect(): Socket {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    socket.on('data', (text) => this.#read(text as unknown as string))
    socket.on('error', (error) => this.#failed?.(error))
    socket.on('close', () => this.#failed?.(new Error('The server closed the connection.')))
    return socket
  }

  /** Reconnects first if needed, because the server closes a connection that was idle for some seconds. */
  #send(request: string): void {
    if (this.#socket.destroyed || this.#socket.readableEnded) this.#socket = this.#connect()
    this.#socket.write(request)
  }

  get(path: string, token?: string): Promise<number> {
    const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
    return new Promise((answered, failed) => {
      this.#answered = answered
      this.#failed = failed
      this.#send(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\n${authorization}\r\n`)
    })
  }

  /** Sends a message to the hosted adapter. */
  post(path: string, body: string, token: string, headers: string): Promise<number> {
    const length = Buffer.byteLength(body)
    const head = `Host: 127.0.0.1:${this.#port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`
    return new Promise((answered, failed) => {
      this.#answered = answered
      this.#failed = failed
      this.#send(`POST ${path} HTTP/1.1\r\n${head}${headers}\r\n${body}`)
    })
  }

  close(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }

  #read(text: string): void {
    this.#received += text
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#received)
    const complete = length
      ? this.#received.length >= end + 4 + Number(length[1])
      : this.#received.endsWith('\r\n0\r\n\r\n')
    if (!complete) return
    this.lastHead = this.#received.slice(0, end)
    const status = Number(this.lastHead.slice(9, 12))
    this.#received = ''
    this.#answered?.(status)
  }
}
