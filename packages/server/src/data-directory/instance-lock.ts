import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { StartupError } from '../lib/startup-error.ts'

/**
 * Locks that this process holds. A lock file with our pid that is not in this set is left over, because in a container
 * every start has the same pid.
 */
const held = new Set<string>()

/** Makes sure that only one process uses a data directory. Takes over a lock whose process has ended. */
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
      const running = lockingProcess(file)
      if (running !== undefined)
        throw new StartupError(
          `Another pdpp server (${running === -1 ? 'of another user' : `process ${running}`}) is using this data directory. Stop it first, or choose another with PDPP_DATA_DIR.`,
        )
      rmSync(file, { force: true })
    }
  }
  throw new StartupError(`Could not take ${file}. Try again.`)
}

/** The pid of the running process that holds the lock. -1 if the pid belongs to another user. */
export function lockingProcess(file: string): number | undefined {
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

/** Distinguishes boots, because after a power failure the pid may belong to another process. Empty if not on Linux. */
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
