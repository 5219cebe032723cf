// Measures the local adapter as hosts start it: the time to its first answer, and how much its memory grows over ten
// thousand calls.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CredentialCache } from '@pdpp/mcp-server'
import { startAdapter } from '../../tests/adapter/adapter-server.ts'
import { smallSource } from '../../tests/adapter/small-data.ts'
import { unlimited } from '../reads/read-setup.ts'
import { type Timing, timingOf } from '../report/measure.ts'

const BIN = join(import.meta.dirname, '..', '..', 'packages', 'mcp', 'bin', 'pdpp-mcp-server.mjs')
const EMPTY = join(import.meta.dirname, 'empty-stdio-server.ts')
const ROUNDS = 15
const CALLS = 10_000
const WARM_UP = 3_000
const IN_FLIGHT = 8
/** A module that makes the process collect garbage and print its heap size when it receives SIGUSR2. */
const REPORT_HEAP = `data:text/javascript,process.on('SIGUSR2',()=>{gc();gc();process.stderr.write('heap='+process.memoryUsage().heapUsed+'\\n')})`

export interface StdioResult {
  /** Time from starting the process to the answer of `initialize`, in microseconds. */
  readonly empty: Timing
  readonly ours: Timing
  /** Heap size in bytes after a garbage collection. */
  readonly heapBefore: number
  readonly heapAfter: number
  readonly calls: number
}

export async function measureStdio(): Promise<StdioResult> {
  const adapter = await startAdapter([smallSource])
  await unlimited(adapter.server.context)
  const root = mkdtempSync(join(tmpdir(), 'pdpp-stdio-'))
  try {
    new CredentialCache(root).save({
      provider_url: adapter.url,
      credential: { access_token: adapter.token, grant_id: 'bench' },
    })
    const args = [BIN, '--provider-url', adapter.url, '--cache-root', root]
    const [empty, ours]: [number[], number[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round++) {
      const [first, second] = [await timeToInitialize([EMPTY]), await timeToInitialize(args)]
      // The first start does not count, because it fills the caches of the file system and of compiled code.
      if (round === 0) continue
      empty.push(first)
      ours.push(second)
    }
    return { empty: timingOf(empty), ours: timingOf(ours), ...(await heapGrowth(args)) }
  } finally {
    rmSync(root, { recursive: true, force: true })
    await adapter.close()
  }
}

interface Message {
  readonly id: number
  readonly result?: { readonly content?: unknown; readonly isError?: boolean }
}

class StdioHost {
  readonly child: ChildProcess
  errors = ''
  readonly #waiting = new Map<number, (message: Message) => void>()
  #received = ''

  constructor(args: readonly string[]) {
    const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(tmpdir(), 'pdpp-bench-compile-cache') }
    this.child = spawn(process.execPath, args, { cwd: tmpdir(), env, stdio: ['pipe', 'pipe', 'pipe'] })
    this.child.stderr!.setEncoding('utf8').on('data', (text) => {
      this.errors += text
    })
    this.child.stdout!.setEncoding('utf8').on('data', (text) => {
      const lines = (this.#received + text).split('\n')
      this.#received = lines.pop()!
      for (const line of lines) {
        const message = JSON.parse(line) as Message
        this.#waiting.get(message.id)?.(message)
        this.#waiting.delete(message.id)
      }
    })
  }

  request(id: number, method: string, params: object): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve)
      this.child.once('exit', () => reject(new Error(`The adapter ended. It printed: ${this.errors}`)))
      this.child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  }

  initialize(): Promise<Message> {
    this.child.setMaxListeners(0)
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
    return this.request(0, 'initialize', params)
  }

  async heap(): Promise<number> {
    const before = this.errors.length
    this.child.kill('SIGUSR2')
    for (let wait = 0; wait < 100; wait++) {
      const reported = /heap=(\d+)/.exec(this.errors.slice(before))
      if (reported) return Number(reported[1])
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('The adapter did not report its heap size.')
  }

  async close(): Promise<void> {
    const exited = once(this.child, 'exit')
    this.child.stdin!.end()
    await exited
  }
}

async function timeToInitialize(args: readonly string[]): Promise<number> {
  const started = performance.now()
  const host = new StdioHost(args)
  await host.initialize()
  const time = (performance.now() - started) * 1000
  await host.close()
  return time
}

async function heapGrowth(args: readonly string[]) {
  const host = new StdioHost(['--expose-gc', '--import', REPORT_HEAP, ...args])
  await host.initialize()
  let id = 0
  const some = async (count: number) => {
    let left = count
    const one = async () => {
      while (left-- > 0) {
        const search = { name: 'search', arguments: { query: 'lighthouse' } }
        const { result } = await host.request(++id, 'tools/call', search)
        if (result?.isError !== undefined || !result?.content) throw new Error('A call failed.')
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, one))
  }
  await some(WARM_UP)
  const heapBefore = await host.heap()
  await some(CALLS)
  const heapAfter = await host.heap()
  await host.close()
  return { heapBefore, heapAfter, calls: CALLS }
}
