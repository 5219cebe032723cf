import type { FileInput } from '../files/files.ts'

export interface Progress {
  readonly input: string
  readonly records: number
  readonly recordsPerSecond: number
  /** Share of this source that is done, 0 to 1. Undefined if it cannot be known. */
  readonly share: number | undefined
  readonly secondsLeft: number | undefined
}

/** Measures progress by records if their number is known, otherwise by bytes of the files. */
export class ProgressMeter {
  readonly #started = performance.now()
  readonly #files: readonly FileInput[]
  readonly #expected: number | undefined
  readonly #total: number

  constructor(files: readonly FileInput[], expected: number | undefined) {
    this.#files = files
    this.#expected = expected
    this.#total = files.reduce((sum, file) => sum + file.fileSize, 0)
    for (const file of files) file.bytesRead = 0
  }

  get elapsedMs(): number {
    return performance.now() - this.#started
  }

  at(input: string, records: number): Progress {
    const seconds = this.elapsedMs / 1000
    const read = this.#files.reduce((sum, file) => sum + file.bytesRead, 0)
    const share =
      this.#expected !== undefined
        ? records / Math.max(1, this.#expected)
        : this.#total === 0
          ? undefined
          : read / this.#total
    const likely = share !== undefined && share > 0.01 && share <= 1
    return {
      input,
      records,
      recordsPerSecond: Math.round(records / seconds),
      share: share === undefined ? undefined : Math.min(1, share),
      secondsLeft: likely ? Math.round((seconds * (1 - share)) / share) : undefined,
    }
  }
}
