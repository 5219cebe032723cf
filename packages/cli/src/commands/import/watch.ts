import { type FSWatcher, statSync, watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FileInput, findFiles } from '@pdpp/importers'
import { sayFailure, UsageError } from '../../terminal/failure.ts'
import { printLine, safe } from '../../terminal/output.ts'
import { stopSignal } from '../../terminal/stop-signal.ts'
import { copies } from './copies.ts'
import { type ImportOptions, readOverrides } from './options.ts'
import { type Broken, importOnce, type RoundOptions } from './run.ts'

/** Wait this long after a change, so that the program that writes the file can finish. */
const QUIET_MS = 700
/**
 * Interval of full scans. They find what the watcher misses, such as changes on network drives or in renamed folders.
 */
const RESCAN_MS = 30_000
/** A file that changed more recently than this may still be growing, so it is read in the next round. */
const SETTLED_MS = 500
const MAX_REMEMBERED = 1_000_000
const FILES_PER_ROUND = 10_000

/** Imports all files, then every new or changed file, until Ctrl-C. */
export async function watchFolders(paths: string[], options: ImportOptions): Promise<void> {
  const overrides = readOverrides(options)
  for (const path of paths)
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`--watch needs a folder, and ${path} is not one.`)
  if (options.json) throw new UsageError('--json prints at the end, and --watch has no end. Use --jsonl.')
  const stop = stopSignal()
  const changes = new ChangeFlag(stop.signal)
  const watchers = paths.flatMap((path) => watcherOf(path, () => changes.set()))
  const seen = new Map<string, string>()
  try {
    for (let first = true; !stop.signal.aborted; first = false) {
      const settled = await scanOnce(paths, seen, { ...options, overrides }, stop.signal, first)
      if (!settled) changes.set()
      if (first && !stop.signal.aborted) say(options, `Watching ${paths.join(', ')}. Stop with Ctrl-C.`)
      await changes.wait(RESCAN_MS)
      // Changes during this pause are imported in the same round.
      await sleep(QUIET_MS, undefined, { signal: stop.signal }).catch(() => {})
      changes.reset()
    }
  } finally {
    for (const watcher of watchers) watcher.close()
    stop.release()
  }
}

/** One round. Prints errors; a failed file is tried again when it changes. Returns false if a file is still growing. */
async function scanOnce(
  paths: readonly string[],
  seen: Map<string, string>,
  options: RoundOptions,
  signal: AbortSignal,
  first: boolean,
): Promise<boolean> {
  try {
    const broken: Broken[] = []
    const found = await findFiles(paths, copies, (file, error) => broken.push({ file, error }))
    const changed = found.filter((file) => seen.get(file.file) !== versionOf(file))
    const ready = changed.filter(isSettled).slice(0, FILES_PER_ROUND)
    if (ready.length > 0) await importOnce(ready, { broken }, { ...options, quietSkips: !first }, signal)
    if (!signal.aborted) for (const file of ready) remember(file, seen)
    return ready.length === changed.length
  } catch (error) {
    sayFailure(error)
    return true
  }
}

const versionOf = ({ fileSize, changedAt }: FileInput): string => `${fileSize} ${changedAt}`

/** A time in the future comes from another clock, so it counts as settled. */
function isSettled({ changedAt }: FileInput): boolean {
  const age = Date.now() - changedAt
  return age > SETTLED_MS || age < 0
}

function remember(file: FileInput, seen: Map<string, string>): void {
  if (seen.size >= MAX_REMEMBERED) seen.clear() // importing again is safe, forgetting only costs time
  seen.set(file.file, versionOf(file))
}

function watcherOf(path: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(path, { recursive: true }, onChange)
    // Without the watcher, the regular scan still finds changes.
    watcher.on('error', () => watcher.close())
    return [watcher]
  } catch {
    return []
  }
}

function say({ json, jsonl }: ImportOptions, text: string): void {
  if (json || jsonl) process.stderr.write(`${safe(text)}\n`)
  else printLine(safe(text))
}

/** Tells a single waiter that something changed, now or since the last reset. Several changes count as one. */
class ChangeFlag {
  readonly #signal: AbortSignal
  #isSet = false
  #wake: (() => void) | undefined

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.set(), { once: true })
  }

  set(): void {
    this.#isSet = true
    this.#wake?.()
  }

  reset(): void {
    this.#isSet = false
  }

  async wait(milliseconds: number): Promise<void> {
    if (this.#isSet || this.#signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
  }
}
