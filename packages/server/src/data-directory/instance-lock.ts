import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { StartupError } from '../lib/startup-error.ts'

/** Locks of this very process. Any other that has its number is left over: in a container every start has the same one. */
const held = new Set<string>()

/** One process at a time works on a data directory. A lock whose process is gone is taken over. */
export function takeLock(file: string): { release(): void } {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const handle = openSync(file, 'wx', 0o600)
      writeSync(handle, ownMark())
      closeSync(handle)
      held.add(file)
      return { release: () => releaseOwn(file) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const holder = holderOf(file)
      if (holder !== undefined)
        throw new StartupError(
          `Another pdpp server (process ${holder}) is using this data directory. Stop it first, or choose another with PDPP_DATA_DIR.`,
        )
      rmSync(file, { force: true })
    }
  }
  throw new StartupError(`Could not take ${file}. Try again.`)
}

/** The living process that holds the lock. */
export function holderOf(file: string): number | undefined {
  try {
    const [number, boot] = readFileSync(file, 'utf8').split('\n')
    const pid = Number(number)
    if (!Number.isInteger(pid) || pid <= 0) return
    if (boot !== bootId() || (pid === process.pid && !held.has(file))) return
    process.kill(pid, 0)
    return pid
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? -1 : undefined
  }
}

const ownMark = (): string => `${process.pid}\n${bootId()}`

/** After a power failure the number belongs to some other process; where the system can tell, it is not taken for ours. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

function releaseOwn(file: string): void {
  held.delete(file)
  try {
    if (readFileSync(file, 'utf8') === ownMark()) rmSync(file, { force: true })
  } catch {}
}
