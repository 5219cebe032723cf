/** The same pieces; throws what `tooLate` makes when the next one does not come within so long. */
export async function* withIdleTimeout<T>(
  source: AsyncIterable<T>,
  idleMs: number,
  tooLate: () => Error,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let finished = false
  try {
    for (;;) {
      const result = await soon(iterator.next(), idleMs, tooLate)
      if (result.done) {
        finished = true
        return
      }
      yield result.value
    }
  } finally {
    // Not awaited: a source that does not answer would not answer this either.
    if (!finished) iterator.return?.().catch(() => {})
  }
}

async function soon<T>(work: Promise<T>, ms: number, tooLate: () => Error): Promise<T> {
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
