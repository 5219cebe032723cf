// The real programs of other people, which `npm run test:clients` installs. Tests that need one are skipped without.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'

const bin = join(process.env['PDPP_CLIENTS'] ?? '', 'node_modules', '.bin')

export const hasProgram = (name: string): boolean =>
  process.env['PDPP_CLIENTS'] !== undefined && existsSync(join(bin, name))

if (!hasProgram('claude'))
  console.warn('The printed lines are not run with real agents here: use npm run test:clients.')

export interface AgentHome {
  readonly home: string
  /** Runs a line of a shell in a terminal, as a person would. */
  inTerminal(line: string): Running
  /** Runs a program without a terminal. */
  run(program: string, args: readonly string[]): Promise<string>
  /** The address that the program opened in the browser, or printed. */
  openedAddress(running: Running): string | undefined
}

interface Running {
  readonly output: () => string
  readonly exited: Promise<number | null>
}

/** An empty home whose browser is a script that writes down the address. */
export function newHome(): AgentHome {
  const home = mkdtempSync(join(tmpdir(), 'pdpp-agents-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  mkdirSync(join(home, '.codex'))
  const opened = join(home, 'opened')
  const tools = join(home, 'tools')
  mkdirSync(tools)
  for (const name of ['opener', 'xdg-open']) {
    writeFileSync(join(tools, name), `#!/bin/sh\necho "$1" >> '${opened}'\n`)
    chmodSync(join(tools, name), 0o755)
  }
  const env = {
    ...process.env,
    PATH: [tools, bin, process.env['PATH']].join(delimiter),
    HOME: home,
    CODEX_HOME: join(home, '.codex'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    BROWSER: join(tools, 'opener'),
    TERM: 'dumb',
    CI: '',
  }
  // Never spawnSync: the server that these programs ask runs in this process.
  const start = (command: string, args: readonly string[]): Running => {
    const child = spawn(command, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill())
    return { output: outputOf(child), exited: new Promise((resolve) => child.once('close', resolve)) }
  }
  return {
    home,
    inTerminal: (line) => start('script', ['-qefc', line, '/dev/null']),
    run: async (program, args) => {
      const running = start(join(bin, program), args)
      await running.exited
      return running.output()
    },
    openedAddress: ({ output }) =>
      (existsSync(opened) ? readFileSync(opened, 'utf8') : output()).match(/http\S+\/oauth\/authorize\S+/)?.[0],
  }
}

function outputOf(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  return () => text
}
