/** The exit code after Ctrl-C. */
export const INTERRUPTED = 130

/** The first Ctrl-C lets the work under way finish; the second does not wait. */
export function stopSignal(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED)
    controller.abort()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of signals) process.on(name, stop)
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, stop)
    },
  }
}
