// Runs npm with a chosen Node, without a shell and without the settings of an outer npm command.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { exitCode, supervise } from './supervise.mjs'

// Retry only once, because with its defaults npm takes over a minute to notice that the machine is offline.
const retries = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000']
const quiet = ['--loglevel=error', '--no-fund', '--no-audit', '--no-update-notifier', '--no-progress']

/** Resolves with npm's exit code, its output and, if it failed, the first lines of its errors. */
export async function npm(node, args, cwd) {
  const entry = npmEntry()
  if (!entry) return { code: 1, output: 'npm was found neither next to this Node nor on PATH.' }
  const child = spawn(node, [entry, ...args, ...retries, ...quiet], {
    cwd,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let stdout = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  child.stdout.on('data', (chunk) => (stdout += chunk))
  let interruption
  const code = await supervise(child, (signal) => {
    interruption = signal
    // SIGKILL ends npm at once. On SIGTERM it would keep writing for seconds. A partial installation is never used.
    child.kill('SIGKILL')
  })
  return { code: interruption ? exitCode(interruption) : code, output: firstLines(output), stdout }
}

function npmEntry() {
  const folders = [dirname(process.execPath), ...(process.env.PATH ?? process.env.Path ?? '').split(delimiter)]
  const installed = folders.flatMap((folder) => [
    join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(folder, 'npm'),
  ])
  // npm_execpath is the npm in use, unless another package manager has set it.
  return [process.env.npm_execpath, ...installed]
    .filter((path) => path && existsSync(path))
    .map((path) => realpathSync(path))
    .find((path) => path.endsWith('npm-cli.js'))
}

// Keeps the settings for registry, cache and proxy. Removes those about the package or folder of the outer command.
function environment() {
  const misleading = /^npm_(package|lifecycle|config_(workspace|local_prefix|prefix|global|omit|include|dry_run))/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !misleading.test(name)))
}

// Keeps the error code and the reason, which come first. Leaves out the indented lines after them, which are mostly a
// stack, and the path of the log.
function firstLines(output) {
  const lines = output.split('\n').filter((line) => /^npm (err|error)/i.test(line))
  const reasons = lines.filter((line) => !/complete log|^npm \S+\s\s/i.test(line))
  return (reasons.length ? reasons : output.split('\n')).slice(0, 6).join('\n').trim()
}
