/** Waits for the work, but no longer than this. The work continues in any case. */
export async function waitUpTo(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

/** Yields the same items. Throws the error of `tooLate` if the next item takes longer than `idleMs`. */
export async function* withIdleTimeout<T>(
  source: AsyncIterable<T>,
  idleMs: number,
  tooLate: () => Error,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let finished = false
  try {
    for (;;) {
      const result = await withTimeout(iterator.next(), idleMs, tooLate)
      if (result.done) {
        finished = true
        return
      }
      yield result.value
    }
  } finally {
    // Not awaited, because a stalled source may never settle this call either.
    if (!finished) iterator.return?.().catch(() => {})
  }
}

async function withTimeout<T>(work: Promise<T>, ms: number, tooLate: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(tooLate()), ms)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
