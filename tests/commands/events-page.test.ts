// docs/events.md, typed into one shell: every command in its order, in a new home, and what it prints compared with the page.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../fixtures/http.ts'

const root = join(import.meta.dirname, '..', '..')
const PATIENCE = 60_000
/** Commands that keep running. Their output is complete at the end of the page. */
const STAYS = /^(\.\/pdpp serve|\.\/pdpp read .* --follow|node receiver\.mjs)/

const page = readFileSync(join(root, 'docs', 'events.md'), 'utf8')
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

interface Step {
  readonly command: string
  readonly printed: RegExp
  /** The first lines that it prints, before anything else happens. */
  readonly first: string
}

function stepsOf(text: string): Step[] {
  return [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
    block!
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...lines] = step.trimEnd().split('\n')
        return { command, printed: patternOf(lines), first: lines.find((line) => line !== '' && line !== '…') ?? '' }
      }),
  )
}

/** `…` matches any text on its line. Alone on a line it matches any lines. */
function patternOf(lines: readonly string[]): RegExp {
  const each = lines.map((line) => (line === '…' ? '(?:.*\n)*?' : `${line.split('…').map(literal).join('.*')}\n`))
  return new RegExp(`^${each.join('')}$`)
}

/** Empty lines at the end do not count. */
const trimmed = (text: string): string => (text.trim() === '' ? '' : `${text.trimEnd()}\n`)

/** A home with nothing in it but the library and `./pdpp`, the script at the top of a clone. */
function newHome(port: number) {
  const home = mkdtempSync(join(tmpdir(), 'pdpp-events-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const launcher = join(root, 'packages', 'cli', 'bin', 'pdpp.mjs')
  const program = (name: string, script: string) => {
    writeFileSync(join(home, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(home, name), 0o755)
  }
  program('pdpp', `exec '${process.execPath}' '${launcher}' "$@"`)
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  const kept = Object.entries(process.env).filter(([name]) => !/^(PDPP_|npm_|XDG_|FORCE_COLOR$)/.test(name))
  const path = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter)
  return { home, env: { ...Object.fromEntries(kept), PATH: path, HOME: home, PORT: String(port), NO_COLOR: '1' } }
}

function start(command: string, cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], { cwd, env, detached: true })
  const output = collected(child)
  endWithTest(child)
  return output
}

function collected(child: ChildProcessWithoutNullStreams): () => string {
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  // Outside of the clone the command prints its path, because that works everywhere.
  return () => text.replaceAll(join(root, 'pdpp '), './pdpp ')
}

function endWithTest(child: ChildProcessWithoutNullStreams): void {
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
    await ended
  })
}

/** One shell for the whole page, so that variables stay. */
function shell(cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn('sh', ['-c', 'exec 2>&1; exec sh'], { cwd, env, detached: true })
  const output = collected(child)
  endWithTest(child)
  let at = 0
  return async (command: string, marker: string) => {
    child.stdin.write(`${command}\necho "${marker} $?"\n`)
    const end = new RegExp(`^${marker} (\\d+)\n`, 'm')
    await expect.poll(() => output().slice(at), { timeout: PATIENCE }).toMatch(end)
    const text = output().slice(at)
    const found = end.exec(text)!
    at += found.index + found[0].length
    return { printed: text.slice(0, found.index), code: Number(found[1]) }
  }
}

test.skipIf(process.platform === 'win32')(
  'everything in docs/events.md happens as it says',
  { timeout: 5 * PATIENCE },
  async () => {
    const [port, receiverPort] = [await freePort(), await freePort()]
    const { home, env } = newHome(port)
    const text = page.replaceAll('7662', String(port)).replaceAll('8787', String(receiverPort))
    const [receiver] = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)
    writeFileSync(join(home, 'receiver.mjs'), receiver!)
    const type = shell(home, env)
    const staying: { command: string; printed: RegExp; output: () => string }[] = []
    for (const [index, { command, printed, first }] of stepsOf(text).entries()) {
      if (STAYS.test(command)) {
        const output = start(command, home, env)
        await expect.poll(output, { timeout: PATIENCE, message: command }).toContain(first)
        staying.push({ command, printed, output })
        continue
      }
      const done = await type(command, `done-${index}`)
      expect(trimmed(done.printed), command).toMatch(printed)
      expect(done.code, `${command}\n${done.printed}`).toBe(0)
      // The receiver has printed all of its lines before the owner stops the subscription.
      for (const { output, printed: pattern } of command.includes('list') ? staying.slice(1) : [])
        await expect.poll(() => trimmed(output()), { timeout: PATIENCE }).toMatch(pattern)
    }
    expect(staying).toHaveLength(3)
    for (const { command, printed, output } of staying)
      await expect.poll(() => trimmed(output()), { timeout: PATIENCE, message: command }).toMatch(printed)
  },
)
