// docs/first-five-minutes.md, typed: every command in its order, in a new home, and what it prints compared with the page.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../fixtures/http.ts'

const root = join(import.meta.dirname, '..', '..')
const PATIENCE = 60_000

interface Step {
  readonly command: string
  readonly printed: string
}

/** `console` blocks have commands after a `$` and what they print; `sh` blocks are one command that prints nothing. */
function stepsOf(page: string): Step[] {
  return [...page.matchAll(/^```(console|sh)\n([\s\S]*?)^```$/gm)].flatMap(([, language, text]) => {
    if (language === 'sh') return [{ command: text!, printed: '' }]
    return text!
      .split(/^\$ /m)
      .slice(1)
      .map((step) => ({ command: step.split('\n', 1)[0]!, printed: step.slice(step.indexOf('\n') + 1) }))
  })
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** `…` matches any text on its line. Alone on a line it matches any lines. */
function patternOf(printed: string): RegExp {
  const lines = printed.trimEnd().split('\n')
  const each = lines.map((line) => (line === '…' ? '(?:.*\n)*?' : `${line.split('…').map(literal).join('.*')}\n`))
  return new RegExp(`^${each.join('')}$`)
}

/** An elided word of a command is the first of its kind in what was printed before. */
function filled(command: string, before: string): string {
  return command.replace(/\S*…\S*/g, (word) => {
    const found = new RegExp(word.split('…').map(literal).join('\\w+')).exec(before)
    if (!found) throw new Error(`Nothing that was printed looks like ${word}.`)
    return found[0]
  })
}

/** A home with nothing in it but `./pdpp`, the script at the top of a clone. */
function newHome(port: number) {
  const home = mkdtempSync(join(tmpdir(), 'pdpp-first-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const launcher = join(root, 'packages', 'cli', 'bin', 'pdpp.mjs')
  // The reader of the page is in the folder of the clone. Here the script of the clone is in the home instead.
  writeFileSync(join(home, 'pdpp'), `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`)
  chmodSync(join(home, 'pdpp'), 0o755)
  const kept = Object.entries(process.env).filter(([name]) => !/^(PDPP_|npm_|XDG_|FORCE_COLOR$)/.test(name))
  const path = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter)
  return { home, env: { ...Object.fromEntries(kept), PATH: path, HOME: home, PORT: String(port), NO_COLOR: '1' } }
}

/** One pipe for both streams, as a terminal has it. */
function shell(command: string, cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], { cwd, env, detached: true })
  let output = ''
  child.stdin.end()
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  const exited = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  onTestFinished(async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
    await exited
  })
  return { output: () => output.replaceAll(join(root, 'pdpp '), './pdpp '), exited }
}

test.skipIf(process.platform === 'win32')(
  'everything in docs/first-five-minutes.md happens as it says',
  { timeout: 5 * PATIENCE },
  async () => {
    const port = await freePort()
    const { home, env } = newHome(port)
    const page = readFileSync(join(root, 'docs', 'first-five-minutes.md'), 'utf8')
    const [start, ...steps] = stepsOf(page.replaceAll('7662', String(port)).replaceAll('/home/you', home))
    expect(start!.command).toBe('npm start -- --demo --no-open')
    expect(steps.length).toBeGreaterThan(15)
    const server = shell(start!.command, root, env)
    await expect.poll(() => server.output(), { timeout: PATIENCE }).toContain('Ctrl-C')
    expect(`${server.output().trimEnd()}\n`).toMatch(patternOf(start!.printed))
    let before = ''
    for (const { command, printed } of steps) {
      const typed = filled(command, before)
      const { exited, output } = shell(typed, home, env)
      const code = await exited
      expect(`${output().trimEnd()}\n`, typed).toMatch(patternOf(printed))
      expect(code === 0, `${typed} ended with ${code}`).toBe(!/^pdpp: /m.test(printed))
      before = output()
    }
  },
)

test('a difference from the page is noticed', () => {
  const pattern = patternOf('Grant  grt_…\n…\nEnds\n')
  expect('Grant  grt_1\na\nb\nEnds\n').toMatch(pattern)
  expect('Grant  grt_1\nEnds\n').toMatch(pattern)
  expect('Grant  1\nEnds\n').not.toMatch(pattern)
  expect('Grant  grt_1\nEnds\nmore\n').not.toMatch(pattern)
})
