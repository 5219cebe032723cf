import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { StartupError } from './startup-error.ts'

/** One process at a time works on a data directory. A lock whose process is gone is taken over. */
export function takeLock(file: string): { release(): void } {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const handle = openSync(file, 'wx', 0o600)
      writeSync(handle, String(process.pid))
      closeSync(handle)
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
    const pid = Number(readFileSync(file, 'utf8'))
    if (!Number.isInteger(pid) || pid <= 0) return
    process.kill(pid, 0)
    return pid
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? -1 : undefined
  }
}

function releaseOwn(file: string): void {
  try {
    if (readFileSync(file, 'utf8') === String(process.pid)) rmSync(file, { force: true })
  } catch {}
}
