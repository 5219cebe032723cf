import type { Progress, ProgressMeter, ProgressView } from '@pdpp/importers'
import { safe } from '../../terminal/output.ts'

const SHOWN_AFTER_MS = 1000
const EVERY_MS = 100
/** Times for a program that reads lines: the first one soon, then one per second. */
const REPORTED_AFTER_MS = 250
const REPORTED_EVERY_MS = 1000

/** Shows progress on a terminal, if the import takes longer than a moment. */
export class ProgressLine implements ProgressView {
  readonly #report: ((progress: Progress) => void) | undefined
  #drawnAt = Number.NEGATIVE_INFINITY
  #drawn = false

  constructor(report?: (progress: Progress) => void) {
    this.#report = report
  }

  show(input: string, records: number, meter: ProgressMeter): void {
    if (!this.#report && !process.stderr.isTTY) return
    const now = performance.now()
    const [after, every] = this.#report ? [REPORTED_AFTER_MS, REPORTED_EVERY_MS] : [SHOWN_AFTER_MS, EVERY_MS]
    if (meter.elapsedMs < after || now - this.#drawnAt < every) return
    this.#drawnAt = now
    const progress = meter.at(input, records)
    if (this.#report) this.#report(progress)
    else this.#draw(progressText(progress))
  }

  #draw(text: string): void {
    this.#drawn = true
    process.stderr.write(`\r\u001b[K${text.slice(0, Math.max(20, (process.stderr.columns || 80) - 1))}`)
  }

  clear(): void {
    if (this.#drawn) process.stderr.write('\r\u001b[K')
    this.#drawn = false
  }
}

function progressText({ input, records, recordsPerSecond, share, secondsLeft }: Progress): string {
  const parts = [
    share === undefined ? '' : `${Math.floor(share * 100)} %`,
    `${records.toLocaleString('en')} items`,
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
