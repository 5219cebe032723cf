// Shows the progress of the set-up. In a terminal it updates one line. Elsewhere it prints a line every ten seconds.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LINE_MS = 10_000
const BAR = 20

/** Runs the work. `done` returns the share that is done, from 0 to 1, or undefined if that is unknown. */
export async function withProgress(text, work, done = () => undefined, out = process.stderr) {
  const started = Date.now()
  let nextLine = LINE_MS
  out.write(out.isTTY ? `Setting up: ${text} …` : `Setting up: ${text} …\n`)
  const timer = setInterval(() => {
    const elapsed = Date.now() - started
    const status = `Setting up: ${text} … ${bar(done())}${Math.floor(elapsed / 1000)} s`
    if (out.isTTY) out.write(`\r${status}\u001b[K`)
    else if (elapsed >= nextLine) {
      nextLine += LINE_MS
      out.write(`${status}\n`)
    }
  }, 250)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (out.isTTY) out.write('\r\u001b[K')
  }
}

function bar(part) {
  if (part === undefined) return ''
  const filled = Math.round(Math.min(1, part) * BAR)
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${Math.round(Math.min(1, part) * 100)} % `
}

/** Returns a function that tells which share of the packages in the lock file is installed. */
export function installedPart(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const paths = Object.entries(packages).filter(([path, one]) => path.startsWith('node_modules/') && !one.link)
  // Checking every tenth package is exact enough for a bar, and fast.
  const sample = paths.filter((_, index) => index % 10 === 0).map(([path]) => join(root, path, 'package.json'))
  return () => sample.filter((path) => existsSync(path)).length / Math.max(1, sample.length)
}
