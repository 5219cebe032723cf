/** The exit code after Ctrl-C. */
export const INTERRUPTED = 130

/** After the first Ctrl-C the current work finishes; the second Ctrl-C does not wait. */
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
