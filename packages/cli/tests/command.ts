// Runs the real command in its own processes: piped, in a terminal, or in the background while a test talks to it.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { NODE_FLAGS, PDPP } from '../../../tests/fixtures/built-command.ts'
import { storeEnvOf } from '../../../tests/fixtures/test-store.ts'

/** The launcher also caches compiled code, so that the command starts quickly. */
const CACHE = join(import.meta.dirname, '..', '..', '..', '.cache', 'v8')

/** In a clone the command prints the path of this script, because it works in every folder. Tests compare the rest. */
const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'pdpp')
const plain = (text: string) => text.replaceAll(`${SCRIPT} `, 'pdpp ')

interface Finished {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly exited: Promise<Finished>
  /** Waits for the first match in the output, on either stream. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
}

type Env = Record<string, string>

/** The own folders of a person: home, tokens and data directory. They are empty, and deleted after the tests. */
export interface Person {
  readonly home: string
  readonly env: Env
  run(args: readonly string[], options?: { input?: string; env?: Env }): Promise<Finished>
  start(args: readonly string[], env?: Env): Promise<Running>
  /** Runs in a pseudo-terminal of 100 columns, which mixes stdout and stderr. */
  terminal(args: readonly string[], options?: { keys?: readonly Key[]; env?: Env; columns?: number }): Promise<Finished>
}

/** Keys that are typed after a text was seen. */
interface Key {
  readonly after: RegExp
  readonly type: string
}

function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'pdpp-cli-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

export const newPerson = (): Person => personAt(temporaryFolder())

/** One person for a whole file of tests that change nothing. */
export function sharedPerson(): Person {
  const home = mkdtempSync(join(tmpdir(), 'pdpp-cli-'))
  afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  return personAt(home)
}

function personAt(home: string): Person {
  const env = { HOME: home, PDPP_CACHE_ROOT: join(home, '.pdpp'), PDPP_DATA_DIR: join(home, 'data') }
  const start = async (args: readonly string[], more: Env = {}) => {
    const store = await storeEnv(args, { ...env, ...more })
    return launch(process.execPath, [...NODE_FLAGS, PDPP, ...args], { NO_COLOR: '1', ...env, ...store, ...more }, home)
  }
  return {
    home,
    env,
    start,
    run: async (args, options = {}) => {
      const running = await start(args, options.env)
      running.child.stdin.on('error', () => {}).end(options.input ?? '')
      return running.exited
    },
    terminal: async (args, { keys = [], env: more = {}, columns = 100 } = {}) => {
      const words = [process.execPath, ...NODE_FLAGS, PDPP, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
      const store = await storeEnv(args, { ...env, ...more })
      const command = `stty cols ${columns} rows 30; exec ${words.join(' ')}`
      const running = launch(
        'script',
        ['-qec', command, '/dev/null'],
        { TERM: 'xterm-256color', ...env, ...store, ...more },
        home,
      )
      for (const { after, type } of keys) {
        await running.printed(after)
        running.child.stdin.write(type)
      }
      return running.exited
    },
  }
}

/** Commands that open the data of this machine. */
const OPENS_DATA = new Set(['demo', 'doctor', 'import', 'owner', 'serve'])

/** The database of the data directory that a command works on. */
async function storeEnv(args: readonly string[], { PDPP_DATA_DIR }: Env): Promise<Env> {
  if (!OPENS_DATA.has(args[0] ?? '')) return {}
  const option = args.indexOf('--data-dir')
  return storeEnvOf(option === -1 ? PDPP_DATA_DIR! : args[option + 1]!)
}

/** A pseudo-terminal needs util-linux's `script`; without it, the tests that need it are skipped and say so. */
export const terminalAvailable: boolean = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '',
)
if (!terminalAvailable) console.warn('No util-linux `script` here: tests in a terminal are skipped.')

function launch(program: string, args: readonly string[], env: Env, cwd: string): Running {
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited(), NODE_COMPILE_CACHE: CACHE, ...env },
    detached: true,
  })
  const output = { out: '', err: '', all: '' }
  const watchers = new Set<() => void>()
  const take = (key: 'out' | 'err') => (text: string) => {
    output[key] += text
    output.all += text
    for (const look of watchers) look()
  }
  child.stdout.setEncoding('utf8').on('data', take('out'))
  child.stderr.setEncoding('utf8').on('data', take('err'))
  const exited = new Promise<Finished>((resolve, reject) => {
    child
      .on('error', reject)
      .on('close', (code, signal) => resolve({ code, signal, stdout: plain(output.out), stderr: plain(output.err) }))
  })
  exited.catch(() => {})
  onTestFinished(async () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
    await exited.catch(() => {})
  })
  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(plain(output.all))
        if (match) resolve(match)
      }
      watchers.add(look)
      look()
      const fail = () => reject(new Error(`It ended without printing ${pattern}:\n${output.all}`))
      exited.then(fail, fail)
    })
  return { child, exited, printed }
}

// The settings of a developer must not affect a test.
function inherited(): NodeJS.ProcessEnv {
  const foreign = /^(PDPP_|NO_COLOR$|FORCE_COLOR$|PAGER$|BROWSER$|XDG_|CODEX_HOME$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

/** An address of this machine on which nothing listens. */
export async function nobodyThere(): Promise<string> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return `http://127.0.0.1:${port}`
}
