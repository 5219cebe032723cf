import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'

/** Max. milliseconds between reading a token and the last use of the epoch in the same request. */
const NOTED_MS = 25

interface NotedEpoch {
  readonly epoch: number
  readonly writes: number
  readonly at: number
}

/** Maps owners to the numbers that all tables use for them. A number never changes. */
export class Owners {
  readonly #database: Database
  readonly #numbers = new Map<string, number>()
  readonly #moments = new Map<number, { readonly epoch: number; readonly moment: object }>()
  readonly #noted = new Map<number, NotedEpoch>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Undefined if nothing was ever stored for the owner. */
  async find(subjectId: string): Promise<number | undefined> {
    const known = this.#numbers.get(subjectId)
    if (known !== undefined) return known
    const [found] = await this.#database.column<number>('select subject from owner where subject_id = ?', subjectId)
    if (found !== undefined) this.#numbers.set(subjectId, found)
    return found
  }

  /** Call before a transaction, because the transaction may be rolled back. */
  async require(subjectId: string): Promise<number> {
    const found = await this.find(subjectId)
    if (found !== undefined) return found
    const created = await this.#database.quiet(async (session) => {
      const take = `update counter set next = next + 1 where name = 'owner' returning next - 1`
      const [subject] = await session.column<number>(take)
      await session.run(
        'insert into owner (subject, subject_id) values (?, ?) on conflict do nothing',
        subject,
        subjectId,
      )
      return (await session.column<number>('select subject from owner where subject_id = ?', subjectId))[0]!
    })
    this.#numbers.set(subjectId, created)
    return created
  }

  /**
   * Call with an epoch that was read together with other data, and with the number of writes before that read. A
   * request gets the epoch with its token, so that it need not read it again.
   */
  note(subject: number, epoch: number, writes: number): void {
    this.#noted.set(subject, { epoch, writes, at: performance.now() })
  }

  /** A number that grows with every change of the owner's sources, connections and feeds. */
  async epoch(subject: number): Promise<number> {
    const noted = this.#noted.get(subject)
    const { writes } = this.#database
    if (noted && noted.writes === writes && performance.now() - noted.at < NOTED_MS) return noted.epoch
    const [epoch = 0] = await this.#database.column<number>('select epoch from owner where subject = ?', subject)
    this.note(subject, epoch, writes)
    return epoch
  }

  /** Returns the same object until the epoch of the owner changes. */
  async moment(subjectId: string): Promise<object> {
    const subject = await this.find(subjectId)
    if (subject === undefined) return {}
    const epoch = await this.epoch(subject)
    const known = this.#moments.get(subject)
    if (known?.epoch === epoch) return known.moment
    const moment = {}
    this.#moments.set(subject, { epoch, moment })
    return moment
  }
}

/** Call in the transaction that changes a source or a connection. */
export async function nextEpoch(session: Session, subject: number): Promise<void> {
  await session.run('update owner set epoch = epoch + 1 where subject = ?', subject)
}
