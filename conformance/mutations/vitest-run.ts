import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Tree } from './tree.ts'

export interface Ran {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** The printed output, for somebody who has to find the cause. */
  readonly output: string
}

const manifest = createRequire(import.meta.url).resolve('vitest/package.json')
const entry = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.vitest)
/** Each with whatever its tests started. */
const running = new Set<number>()
const end = (pid: number) => process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')

/** For a run that is interrupted. */
export function endTests(): void {
  for (const pid of running) end(pid)
}

/** A break may make a test wait for what never comes. */
const MAX_MS = 180_000

export async function runTests(tree: Tree, file: string, names: string): Promise<Ran> {
  const report = join(tree.path, 'mutation-report.json')
  rmSync(report, { force: true })
  const args = [entry, 'run', file, '-t', names, '--reporter=json', `--outputFile=${report}`, '--testTimeout=60000']
  const child = spawn(process.execPath, args, {
    cwd: tree.path,
    env: { ...process.env, NO_COLOR: '1' },
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  running.add(child.pid!)
  const timer = setTimeout(end, MAX_MS, child.pid!)
  await once(child, 'close')
  clearTimeout(timer)
  running.delete(child.pid!)
  const tests = namedResults(report)
  const those = (status: string) => tests.filter((test) => test.status === status).map(({ fullName }) => fullName)
  return { passed: those('passed'), failed: those('failed'), output }
}

function namedResults(report: string): { fullName: string; status: string }[] {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    return testResults.flatMap((file: { assertionResults: [] }) => file.assertionResults)
  } catch {
    return []
  }
}
