import type pg from 'pg'
import { isRefused } from './fault.ts'

/** Runs the statements of one transaction on its connection, in the order of the calls. */
export class OpenTransaction {
  readonly #client: pg.PoolClient
  readonly #begun: Promise<void>
  #hasBegun = false
  /** A write waits for the begin, and so do all statements after it. */
  #isWaiting = false
  #isOver = false
  #firstFailure: unknown

  constructor(client: pg.PoolClient, begun: Promise<unknown>) {
    this.#client = client
    this.#begun = begun.then(() => {
      this.#hasBegun = true
    })
    this.#begun.catch(() => {})
  }

  /**
   * Reads that come first are sent together with the begin. A write is only sent after the begin has succeeded, because
   * otherwise it would be committed by itself.
   */
  run(query: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#isWaiting ||= !this.#hasBegun && !/^\s*select\b/i.test(query.text ?? '')
    return this.#hasBegun || !this.#isWaiting ? this.#send(query) : this.#begun.then(() => this.#send(query))
  }

  /** Refuses further statements. If one of several pieces of work has failed, the others may not know it yet. */
  close(): void {
    this.#isOver = true
  }

  /** The reason why the work failed. After a failure the database refuses all later statements without the reason. */
  reasonOf(error: unknown): unknown {
    return isRefused(error) ? (this.#firstFailure ?? error) : error
  }

  async #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#isOver) throw new Error('The transaction of this statement has ended.')
    try {
      return await this.#client.query(query)
    } catch (error) {
      this.#firstFailure ??= error
      throw error
    }
  }
}
