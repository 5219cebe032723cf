// Tests make thousands of small databases. They kill processes, never the machine, so nothing that they prove needs the
// disk, and waiting for it costs a run about a tenth of its time.
import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const MEMORY = '/dev/shm'
const MIN_BYTES = 4 * 1024 ** 3

/** A folder in memory for temporary files. Undefined if there is none, if it is small, or if nothing may run from it. */
export function memoryDirectory(): string | undefined {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY)
    const { bavail, bsize } = statfsSync(MEMORY)
    const isLarge = Math.min(bavail * bsize, freemem()) >= MIN_BYTES
    return mount?.split(' ')[2] === 'tmpfs' && !mount.includes('noexec') && isLarge ? MEMORY : undefined
  } catch {
    // Only Linux has these files.
    return
  }
}
