import type { ProgressMeter, ProgressView, ReportedProblem } from '@pdpp/importers'
import { KEPT_PROBLEMS } from './import.ts'
import type { FromWorker } from './worker-messages.ts'

const EVERY_MS = 250
const PROBLEMS_AT_ONCE = 200

/** Reports a thread's progress and problems, with limits on frequency and number. */
export class WorkerReport implements ProgressView {
  readonly #send: (message: FromWorker) => void
  readonly #source: number
  readonly #sources: number
  #problems: ReportedProblem[] = []
  #uncounted = 0
  #kept = 0
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(send: (message: FromWorker) => void, source: number, sources: number) {
    this.#send = send
    this.#source = source
    this.#sources = sources
  }

  show(input: string, records: number, meter: ProgressMeter): void {
    const now = performance.now()
    if (now - this.#reportedAt < EVERY_MS) return
    this.#reportedAt = now
    this.#send({ progress: { ...meter.at(input, records), source: this.#source, sources: this.#sources } })
    this.flush()
  }

  /** Problems beyond the stored ones are only counted. */
  problem(problem: ReportedProblem): void {
    if (this.#kept < KEPT_PROBLEMS) {
      this.#kept++
      this.#problems.push(problem)
    } else this.#uncounted++
    if (this.#problems.length >= PROBLEMS_AT_ONCE) this.flush()
  }

  flush(): void {
    if (this.#problems.length + this.#uncounted === 0) return
    this.#send({ problems: this.#problems, uncounted: this.#uncounted })
    this.#problems = []
    this.#uncounted = 0
  }
}
