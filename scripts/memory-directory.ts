// Finds a folder in memory for the files of tests. Tests create thousands of small databases, and waiting for the disk
// would take about a tenth of their time. They kill processes but never the machine, so they do not need a disk.
import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const MEMORY = '/dev/shm'
const MIN_BYTES = 4 * 1024 ** 3

/** Undefined if there is no such folder, if it is too small, or if programs may not run from it. */
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
