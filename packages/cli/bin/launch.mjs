// Starts an entry of this package: from source in a clone, from dist when published. Keep to syntax that old versions
// of Node can read, so that they can say that they are too old.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import v8 from 'node:v8'

const here = dirname(dirname(fileURLToPath(import.meta.url)))
const clone = join(here, '..', '..')

/**
 * Megabytes for each half of V8's space for short-lived objects. By default V8 grows that space to 128 MB, never gives
 * it back, and pauses longer to collect garbage there. In a smaller space than this, V8 would move objects of a search
 * to the long-lived ones, and collecting them there costs a tenth of the search.
 */
export const YOUNG = '--max-semi-space-size=8'

/** Percentage by which the heap may grow before a full collection. By default, half of a server's heap is garbage. */
export const OLD = '--heap-growing-percent=75'

/** An import only creates short-lived objects, so it is as fast in a small space. */
export const IMPORT_YOUNG = '--max-semi-space-size=2'

/** Commands that handle much data. By default V8 would take much memory for them. */
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

/** V8 and the C library read these settings only at start, so the process starts itself again if the system can. */
function holdYoung(young) {
  if (!process.execve || process.platform === 'win32' || process.execArgv.includes(young)) return
  // By default glibc reserves memory for every thread and seldom returns it to the system. Without fixed thresholds it
  // also keeps the memory of large values. Together that would be thirty megabytes.
  process.env.MALLOC_ARENA_MAX ??= '2'
  process.env.MALLOC_MMAP_THRESHOLD_ ??= '131072'
  process.env.MALLOC_TRIM_THRESHOLD_ ??= '262144'
  process.execve(process.execPath, [process.execPath, young, ...process.execArgv, ...process.argv.slice(1)])
}

/**
 * Resets the flag, so that later threads get the size in their `resourceLimits`. Most need much less than the main
 * thread, but V8 prefers the flag.
 */
export function freeThreads() {
  v8.setFlagsFromString('--max-semi-space-size=0')
}

/** The reason why this Node cannot run the command, if any. Passwords need argon2id, which Node has since 24.7. */
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

/**
 * After a change of the sources, commands that run long wait for a new bundle. Others start from the sources at once.
 */
async function bundleOf(isLong) {
  const { buildApart, builtCommand } = await load(join(clone, 'scripts', 'built-command.mjs'))
  try {
    return isLong ? await buildApart() : builtCommand()
  } catch {
    // The clone may be read-only, or a source may have an error. The sources then run directly and report it.
  }
}

// Turns the cache on before it loads the entry, because the imports of an entry are loaded before its first line runs.
async function start(entry, cache) {
  const { directory } = module.enableCompileCache?.(cache) ?? {}
  // Threads have their own cache and read its place from the environment. It halves the CPU of their start.
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
  await load(entry)
}

function load(path) {
  return import(pathToFileURL(path).href)
}
