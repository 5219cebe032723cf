import { safe } from '../../output.ts'
import type { FileInput } from './files.ts'

const SHOWN_AFTER_MS = 1000
const EVERY_MS = 100
/** A program reads lines: it wants the first one soon, and not ten in a second. */
const REPORTED_AFTER_MS = 250
const REPORTED_EVERY_MS = 1000

export interface Progress {
  readonly input: string
  readonly records: number
  readonly recordsPerSecond: number
  /** Of the work of this source, 0 to 1; undefined where it cannot be known. */
  readonly share: number | undefined
  readonly secondsLeft: number | undefined
}

/** How far an import is. Its line is drawn on a terminal only, and only when there is something to wait for. */
export class ProgressLine {
  readonly #started = performance.now()
  readonly #files: readonly FileInput[]
  readonly #expected: number | undefined
  readonly #report: ((progress: Progress) => void) | undefined
  readonly #total: number
  #drawnAt = Number.NEGATIVE_INFINITY
  #drawn = false

  /** `expected`: records, where the files can say how many; their bytes otherwise. */
  constructor(files: readonly FileInput[], expected: number | undefined, report?: (progress: Progress) => void) {
    this.#files = files
    this.#expected = expected
    this.#report = report
    this.#total = files.reduce((sum, file) => sum + file.fileSize, 0)
    for (const file of files) file.bytesRead = 0
  }

  /** Cheap enough to be called for every record. */
  show(input: string, records: number): void {
    if (!this.#report && !process.stderr.isTTY) return
    const now = performance.now()
    const [after, every] = this.#report ? [REPORTED_AFTER_MS, REPORTED_EVERY_MS] : [SHOWN_AFTER_MS, EVERY_MS]
    if (now - this.#started < after || now - this.#drawnAt < every) return
    this.#drawnAt = now
    const progress = this.#at(input, records, (now - this.#started) / 1000)
    if (this.#report) this.#report(progress)
    else this.#draw(progressText(progress))
  }

  #draw(text: string): void {
    this.#drawn = true
    process.stderr.write(`\r\u001b[K${text.slice(0, Math.max(20, (process.stderr.columns || 80) - 1))}`)
  }

  #at(input: string, records: number, seconds: number): Progress {
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

  clear(): void {
    if (this.#drawn) process.stderr.write('\r\u001b[K')
    this.#drawn = false
  }
}

function progressText({ input, records, recordsPerSecond, share, secondsLeft }: Progress): string {
  const parts = [
    share === undefined ? '' : `${Math.floor(share * 100)} %`,
    `${records.toLocaleString('en')} records`,
    `${recordsPerSecond.toLocaleString('en')} per second`,
    secondsLeft === undefined ? '' : `${duration(secondsLeft)} left`,
  ]
  return `${safe(input)}: ${parts.filter((part) => part !== '').join(', ')}`
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${(seconds / 3600).toFixed(1)} h`
}
