import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** How much lower than the main thread's priority a thread's priority is. */
const NICENESS = 3

/**
 * Lets the main thread run first when there are more busy threads than cores. Call it in the thread itself. Linux has a
 * priority for each thread; on other systems nothing happens.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
    if (thread !== undefined) setPriority(Number(thread), NICENESS)
  } catch {
    // Not permitted here. The thread works anyway.
  }
}
