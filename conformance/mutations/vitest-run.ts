import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Tree } from './tree.ts'

export interface TestRun {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** The printed output, which helps to find the cause of a failure. */
  readonly output: string
}

const manifest = createRequire(import.meta.url).resolve('vitest/package.json')
const entry = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.vitest)
/** Process groups of the running tests, including the processes that the tests started. */
const running = new Set<number>()
const end = (pid: number) => process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')

/** Ends all running tests when the run is interrupted. */
export function endTests(): void {
  for (const pid of running) end(pid)
}

/** Time limit, because a break may make a test wait forever. */
const MAX_MS = 180_000

export async function runTests(tree: Tree, file: string, names: string): Promise<TestRun> {
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
  const namesWith = (status: string) => tests.filter((test) => test.status === status).map(({ fullName }) => fullName)
  return { passed: namesWith('passed'), failed: namesWith('failed'), output }
}

function namedResults(report: string): { fullName: string; status: string }[] {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    return testResults.flatMap((file: { assertionResults: [] }) => file.assertionResults)
  } catch {
    return []
  }
}
