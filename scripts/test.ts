// `npm test` checks types, lint and unused code in parallel, then runs every test. With arguments, such as
// `npm test -- grant`, it skips the checks and passes the arguments to vitest. `--checks-only` runs no tests. `--long`
// runs all tests with their full counts and sizes. Then it breaks the code on purpose and checks that tests fail.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureBrowser } from './browser.ts'
import { memoryDirectory } from './memory-directory.ts'
import { ensurePgBouncer } from './pgbouncer.ts'
import { ensurePostgres } from './postgres.ts'

const BUILT_COMMAND = './built-command.mjs'
const root = dirname(import.meta.dirname)
const children = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // In a terminal, the children receive Ctrl-C themselves.
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) for (const child of children) child.kill(signal)
  })
}

// Starts the script of a package with Node itself. This avoids a shell, and .cmd files on Windows.
function start(name: string, bin: string, args: string[], options: SpawnOptions): ChildProcess {
  const folder = join(root, 'node_modules', name)
  const entry: string = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin[bin]
  const child = spawn(process.execPath, [join(folder, entry), ...args], { cwd: root, ...options })
  children.add(child.on('close', () => children.delete(child)))
  return child
}

async function check(label: string, name: string, bin: string, args: string[]): Promise<boolean> {
  const started = performance.now()
  const child = start(name, bin, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  const time = `${Math.round(performance.now() - started)} ms`
  console.log(code === 0 ? `${label}: ok (${time})` : `${label}: failed (${time})\n${output.trimEnd()}`)
  return code === 0
}

async function checks(): Promise<boolean> {
  const types = check('types', 'typescript', 'tsc', ['--noEmit', '-p', 'tsconfig.json'])
  // Without this, the output would contain colours even if it is written to a file.
  const colours = process.stdout.isTTY && !process.env['NO_COLOR'] ? 'force' : 'off'
  const lint = check('lint', '@biomejs/biome', 'biome', ['ci', `--colors=${colours}`])
  const unused = check('unused code', 'knip', 'knip', ['--no-progress'])
  return (await Promise.all([types, lint, unused])).every(Boolean)
}

async function build(): Promise<unknown> {
  const { buildApart } = (await import(BUILT_COMMAND)) as { buildApart(): Promise<string | undefined> }
  return buildApart()
}

async function tests(args: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const [code] = await once(start('vitest', 'vitest', ['run', ...args], { stdio: 'inherit', env }), 'close')
  return code === 0
}

async function mutations(): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'conformance', 'mutations', 'run.ts')], {
    cwd: root,
    stdio: 'inherit',
  })
  children.add(child.on('close', () => children.delete(child)))
  const [code] = await once(child, 'close')
  return code === 0
}

const options = process.argv.slice(2)
const long = options.includes('--long')
const args = options.filter((argument) => argument !== '--long' && argument !== '--checks-only')
const everything = args.length === 0 && !options.includes('--checks-only')
const browser = everything ? ensureBrowser(console.log) : undefined
// Tests start processes and threads from the bundle. If it is built here, no two of them build it at the same time.
const built = everything ? build().catch(() => undefined) : undefined
const checked = args.length > 0 || (await checks())
await Promise.all([browser, built])
if (everything) {
  ensurePostgres(console.log)
  ensurePgBouncer(console.log)
}
const memory = process.env['TMPDIR'] ? undefined : memoryDirectory()
const env = {
  ...process.env,
  ...(memory === undefined ? {} : { TMPDIR: memory }),
  ...(long ? { PDPP_LONG_TESTS: '1' } : {}),
  ...(everything ? { PDPP_TELL_SKIPS: '1' } : {}),
}
const tested = options.includes('--checks-only') || (await tests(args, env))
// Mutations can only be checked if all tests pass without them.
const mutated = !long || !everything || !(checked && tested) || (await mutations())
process.exitCode = checked && tested && mutated ? 0 : 1
