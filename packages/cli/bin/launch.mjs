// Starts an entry of this package: from source in a clone, from dist when published. An old Node has to be able to read it.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import v8 from 'node:v8'

const here = dirname(dirname(fileURLToPath(import.meta.url)))
const clone = join(here, '..', '..')

/**
 * Megabytes for each half of V8's space for short-lived objects. By default V8 grows that space to 128 MB, never gives
 * it back, and pauses longer when it collects garbage there. With less than this, what a search needs for a moment ends up
 * among the long-lived objects, and collecting it there costs a tenth of the search.
 */
export const YOUNG = '--max-semi-space-size=8'

/** Percentage by which the heap may grow before a full collection. By default a server holds as much garbage as data. */
export const OLD = '--heap-growing-percent=75'

/** An import makes nothing but short-lived objects, so a small space costs it nothing. */
export const IMPORT_YOUNG = '--max-semi-space-size=2'

/** Commands that handle so much data that the memory V8 takes by default would count. */
const LONG_COMMANDS = new Map([
  ['serve', YOUNG],
  ['import', IMPORT_YOUNG],
])

export async function launch(name) {
  const young = name === 'main' && LONG_COMMANDS.get(process.argv[2])
  if (young) {
    holdYoung(young)
    v8.setFlagsFromString(OLD)
    freeThreads()
  }
  if (existsSync(join(here, 'src', `${name}.ts`))) return fromClone(name)
  const refusal = tooOld(process.versions.node)
  if (refusal !== undefined) {
    console.error(refusal)
    process.exit(1)
  }
  await start(join(here, 'dist', `${name}.js`))
}

/** V8 and the C library read these settings only at start, so the process replaces itself if the system supports it. */
function holdYoung(young) {
  if (!process.execve || process.platform === 'win32' || process.execArgv.includes(young)) return
  // By default glibc gives every thread its own reserve of memory, and hardly ever gives it back to the system. Without
  // a threshold it even learns to keep the memory of large values. Together that would be thirty megabytes.
  process.env.MALLOC_ARENA_MAX ??= '2'
  process.env.MALLOC_MMAP_THRESHOLD_ ??= '131072'
  process.env.MALLOC_TRIM_THRESHOLD_ ??= '262144'
  process.execve(process.execPath, [process.execPath, young, ...process.execArgv, ...process.argv.slice(1)])
}

/**
 * Lets each thread that starts from now on have the space that its `resourceLimits` name. V8 prefers the flag to them, and
 * most threads need much less than the main thread.
 */
export function freeThreads() {
  v8.setFlagsFromString('--max-semi-space-size=0')
}

/** Why this Node cannot run the command, or nothing. Passwords are kept with argon2id, which came with Node 24.7. */
export function tooOld(version) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 7)) return
  return `pdpp: This needs Node 24.7 or newer, and this is ${version}.\n      Install a current Node from https://nodejs.org, then run the command again.`
}

async function fromClone(name) {
  const { isCurrent, modulesReady } = await load(join(clone, 'scripts', 'runtime.mjs'))
  if (isCurrent(process.versions.node) && modulesReady()) {
    const built = await bundleOf(LONG_COMMANDS.has(process.argv[2]))
    const entry = built ? join(built, `${name}.js`) : join(here, 'src', `${name}.ts`)
    return start(entry, join(clone, '.cache', 'v8'))
  }
  const { run } = await load(join(clone, 'scripts', 'run.mjs'))
  process.exit(await run([join(here, 'bin', 'pdpp.mjs'), ...process.argv.slice(2)]))
}

/** Commands that run long wait for a new bundle after the sources have changed. Others start from the sources at once. */
async function bundleOf(isLong) {
  const { buildApart, builtCommand } = await load(join(clone, 'scripts', 'built-command.mjs'))
  try {
    return isLong ? await buildApart() : builtCommand()
  } catch {
    // The clone may be read-only, or a source half edited: the sources themselves can say what is wrong.
  }
}

// The cache has to be on before the entry is loaded: an entry's own imports are resolved before its first line runs.
async function start(entry, cache) {
  const { directory } = module.enableCompileCache?.(cache) ?? {}
  // Threads have their own cache and read its place from the environment. It halves the CPU of their start.
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
  await load(entry)
}

function load(path) {
  return import(pathToFileURL(path).href)
}
