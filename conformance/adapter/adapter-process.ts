// The stdio adapter as a bare process: what it prints, how it ends, what it says to a host line by line.
import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { ADAPTER } from './agent.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface AdapterProcess {
  readonly pid: number
  readonly ended: Promise<Ended>
  send(message: object | string): void
  /** The next line of stdout, which must be a message of the protocol. */
  receive(): Promise<any>
  /** What was printed so far and is not protocol. */
  stderr(): string
  closeInput(): void
}

const PATIENCE_MS = 15_000

export function startAdapter(
  args: string[],
  { cwd, env = {}, program = ADAPTER }: { cwd: string; env?: Record<string, string>; program?: string },
): AdapterProcess {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env['PATH']!, HOME: cwd, ...env },
  })
  const output = { stdout: '', stderr: '', read: 0 }
  const waiting: (() => void)[] = []
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text
    for (const wake of waiting.splice(0)) wake()
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text
  })
  child.stdin.on('error', () => {})
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      for (const wake of waiting.splice(0)) wake()
      resolve({ code, stdout: output.stdout, stderr: output.stderr })
    })
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended.catch(() => {})
  })
  return {
    pid: child.pid!,
    ended,
    send: (message) => child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    receive: async () => {
      const deadline = Date.now() + PATIENCE_MS
      for (;;) {
        const end = output.stdout.indexOf('\n', output.read)
        if (end !== -1) {
          const line = output.stdout.slice(output.read, end)
          output.read = end + 1
          return JSON.parse(line)
        }
        if (Date.now() > deadline || child.exitCode !== null)
          throw new Error(`No message. It printed: ${output.stderr}`)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          setTimeout(resolve, 1_000).unref()
        })
      }
    },
    stderr: () => output.stderr,
    closeInput: () => child.stdin.end(),
  }
}

/** One that ends by itself. */
export async function runAdapter(args: string[], options: Parameters<typeof startAdapter>[1]): Promise<Ended> {
  const process = startAdapter(args, options)
  process.closeInput()
  return process.ended
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
}
export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }
export const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
