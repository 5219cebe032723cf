// Real processes for tests: a server to talk to and commands to run. Nothing outlives the test that started it.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const main = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts')
const patience = 20_000

interface ProcessOptions {
  dataDir: string
  env?: Record<string, string>
  /** Called with what ends the process. Left out: it ends with the test; a hook, which has none, gives its own. */
  atEnd?: (end: () => Promise<void>) => void
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface RunningServer {
  url: string
  pid: number
  /** Everything printed so far, stdout and stderr as they came. */
  output(): string
  stop(signal?: NodeJS.Signals): Promise<Exit>
  kill(): Promise<Exit>
  exited: Promise<Exit>
}

export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'pdpp-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

/** Starts `pdpp serve` on a port of the system's choosing and waits for the address it prints. */
export async function startServer(options: ProcessOptions & { args?: string[] }): Promise<RunningServer> {
  const { child, output, exited, signal } = start(['serve', '--port', '0', ...(options.args ?? [])], options)
  child.stdin?.end()
  const stop = (name: NodeJS.Signals = 'SIGTERM') => {
    signal(name)
    return exited
  }
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`The server ${reason}. It printed:\n${output.all}`))
    const timer = setTimeout(() => fail(`gave no address within ${patience / 1000} s`), patience)
    const look = () => {
      const address = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(output.all)
      if (address) resolve(address[0])
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    exited.then(({ code, signal }) => fail(`ended with ${signal ?? code}`), reject).finally(() => clearTimeout(timer))
  })
  return { url, pid: child.pid!, output: () => output.all, stop, kill: () => stop('SIGKILL'), exited }
}

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs one `pdpp` command to its end. */
export async function runPdpp(args: string[], options: ProcessOptions & { input?: string }): Promise<Finished> {
  const { child, output, exited } = start(args, options)
  // A command that never reads its input may be gone before all of it is written.
  child.stdin?.on('error', () => {}).end(options.input ?? '')
  const { code } = await exited
  return { code, stdout: output.out, stderr: output.err }
}

export interface RunningCommand {
  /** What it printed so far. */
  output(): { out: string; err: string }
  /** Waits until what it printed matches. */
  printed(pattern: RegExp): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<Exit>
  exited: Promise<Exit>
}

/** Starts a command that runs until it is stopped. */
export function startPdpp(args: string[], options: ProcessOptions): RunningCommand {
  const { child, output, exited, signal } = start(args, options)
  child.stdin?.end()
  const printed = async (pattern: RegExp) => {
    const deadline = Date.now() + patience
    while (!pattern.test(output.all)) {
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`The command did not print ${pattern}. It printed:\n${output.all}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const stop = (name: NodeJS.Signals = 'SIGINT') => {
    signal(name)
    return exited
  }
  return { output: () => output, printed, stop, exited }
}

function start(args: string[], { dataDir, env, atEnd = onTestFinished }: ProcessOptions) {
  const child = spawn(process.execPath, [main, ...args], {
    // Its own process group, so that whatever it starts can be ended with it.
    detached: true,
    // Away from the clone: a .pdpp folder there is the developer's.
    cwd: tmpdir(),
    env: { ...inherited(), NO_COLOR: '1', PDPP_DATA_DIR: dataDir, ...env },
  })
  const output = { all: '', out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.out += text
    output.all += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.err += text
    output.all += text
  })
  const exited = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject).on('close', (code, signal) => resolve({ code, signal }))
  })
  const signal = (name: NodeJS.Signals) => signalGroup(child, name)
  atEnd(async () => {
    signal('SIGKILL')
    await exited.catch(() => {})
  })
  return { child, output, exited, signal }
}

// A developer's own PDPP settings must not decide a test.
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PDPP_')))
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (!child.pid) return
  try {
    process.kill(-child.pid, name)
  } catch {
    // Already gone, or a system without process groups.
    child.kill(name)
  }
}
