/**
 * State of checking one record. Schemas and records are untrusted, and a small schema can demand endless work. So every
 * step is counted, and the check ends when the record's budget is used up.
 */
export class SchemaRun {
  /** Quarters of a step, because V8 handles whole numbers faster and members cost a quarter each. */
  #left: number
  #depth = 0
  /** Path of the first error, innermost name first. */
  readonly path: (string | number)[] = []
  message = ''
  /**
   * How often a value fitted, apart from a keyword that was not evaluated. If a fit would count against the record, as
   * in `not`, such a fit is ignored.
   */
  doubts = 0

  constructor(steps: number) {
    this.#left = steps * 4
  }

  step(count = 1): void {
    this.#left -= count * 4
    if (this.#left < 0) throw new TooCostly('takes too many steps to check against its schema')
  }

  enter(): void {
    this.step()
    if (++this.#depth > MAX_DEPTH) throw new TooCostly('leads too deep into its schema')
  }

  leave(): void {
    this.#depth--
  }

  /** Returns false, so that checks can write `return run.fail(…)`. */
  fail(message: string): false {
    this.path.length = 0
    this.message = message
    return false
  }

  /** Clears the error of a branch that may fail, such as an alternative of `anyOf`. */
  forget(): void {
    this.path.length = 0
    this.message = ''
  }
}

/** Max. nested checks. Stops a reference that leads to itself. */
const MAX_DEPTH = 2_000

export class TooCostly extends Error {}

export type SchemaCheck = (value: unknown, run: SchemaRun) => boolean
