import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** How much later than the main thread a thread gets a busy core. */
const NICENESS = 3

/**
 * Lets the main thread go first when there are more busy threads than cores. Call it in the thread itself. Linux has a
 * priority for each thread; elsewhere nothing happens.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
    if (thread !== undefined) setPriority(Number(thread), NICENESS)
  } catch {
    // Not allowed here. The thread works all the same.
  }
}
