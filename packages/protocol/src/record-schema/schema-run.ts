/**
 * One check of one record. A schema and a record are both written by others, and a small schema can ask for more work
 * than any machine can do. So every step is counted, and a check that takes more than its record is worth ends.
 */
export class SchemaRun {
  #left: number
  #depth = 0
  /** Where the first fault lies, from the inside out, and what it is. */
  readonly path: (string | number)[] = []
  message = ''
  /**
   * How often something fitted but for a keyword that is not evaluated. Where a fit would be held against the record, as in
   * `not`, such a fit counts for nothing.
   */
  doubts = 0

  constructor(steps: number) {
    this.#left = steps
  }

  step(count = 1): void {
    this.#left -= count
    if (this.#left < 0) throw new TooCostly('takes too many steps to check against its schema')
  }

  enter(): void {
    this.step()
    if (++this.#depth > MAX_DEPTH) throw new TooCostly('leads too deep into its schema')
  }

  leave(): void {
    this.#depth--
  }

  /** For `return run.fail(…)`. */
  fail(message: string): false {
    this.path.length = 0
    this.message = message
    return false
  }

  /** A branch that may fail without the whole failing. */
  forget(): void {
    this.path.length = 0
    this.message = ''
  }
}

/** References and combinations between two levels of a record; a reference to itself ends here. */
const MAX_DEPTH = 2_000

export class TooCostly extends Error {}

export type SchemaCheck = (value: unknown, run: SchemaRun) => boolean
