// Runs npm with a chosen Node, without a shell and without the settings of the npm command that may have started us.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { exitCode, supervise } from './supervise.mjs'

// One quick retry: with npm's own settings, being offline takes over a minute to be noticed.
const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000']
const quiet = ['--loglevel=error', '--no-fund', '--no-audit', '--no-update-notifier', '--no-progress']

/** Resolves with npm's exit code, what it printed and, for when it failed, the first lines of what it complained about. */
export async function npm(node, args, cwd) {
  const entry = npmEntry()
  if (!entry) return { code: 1, output: 'npm was not found beside this Node nor on PATH.' }
  const child = spawn(node, [entry, ...args, ...patience, ...quiet], {
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
    // Asked politely, npm first finishes what it is writing, for seconds. Half an installation is never used anyway.
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
  // npm_execpath is the npm in use, unless another package manager set it.
  return [process.env.npm_execpath, ...installed]
    .filter((path) => path && existsSync(path))
    .map((path) => realpathSync(path))
    .find((path) => path.endsWith('npm-cli.js'))
}

// Registry, cache and proxy settings are kept. What names the outer command's package or folder would mislead this one.
function environment() {
  const misleading = /^npm_(package|lifecycle|config_(workspace|local_prefix|prefix|global|omit|include|dry_run))/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !misleading.test(name)))
}

// The code and the reason come first; the indented rest, a stack mostly, and the path of a log help nobody here.
function firstLines(output) {
  const lines = output.split('\n').filter((line) => /^npm (err|error)/i.test(line))
  const told = lines.filter((line) => !/complete log|^npm \S+\s\s/i.test(line))
  return (told.length ? told : output.split('\n')).slice(0, 6).join('\n').trim()
}
