import type { Mask } from '../../records/change-mask.ts'

export interface NewChange {
  readonly version: number
  readonly part: number
  readonly record: number
  mask: bigint
  readonly emittedAt: number
  readonly deleted: number
}

/** The changes of one transaction, and the older changes that they replace. */
export class ChangeLog {
  /** New changes by record. */
  readonly #added = new Map<number, NewChange[]>()
  /** Records whose stored changes are all removed. */
  readonly forgotten = new Set<number>()
  /** The bits that stored changes lose, by record and part. */
  readonly cleared = new Map<number, Map<number, bigint>>()
  readonly #firstNew: number
  version: number

  /** Records from `firstNew` on have no stored changes. */
  constructor(version: number, firstNew: number) {
    this.version = version
    this.#firstNew = firstNew
  }

  get added(): NewChange[] {
    return [...this.#added.values()].flat()
  }

  add(record: number, mask: Mask, emittedAt: number, isDeletion = false): void {
    const version = ++this.version
    const changes = this.#added.get(record) ?? []
    this.#added.set(record, changes)
    for (const [part, bits] of mask)
      changes.push({ version, part, record, mask: bits, emittedAt, deleted: isDeletion ? 1 : 0 })
  }

  forget(record: number): void {
    this.#added.delete(record)
    this.cleared.delete(record)
    if (record < this.#firstNew) this.forgotten.add(record)
  }

  clear(record: number, mask: Mask): void {
    const changes = this.#added.get(record) ?? []
    for (const change of changes) change.mask &= ~(mask.get(change.part) ?? 0n)
    this.#added.set(
      record,
      changes.filter((change) => change.mask !== 0n),
    )
    if (record >= this.#firstNew || this.forgotten.has(record)) return
    const cleared = this.cleared.get(record) ?? new Map<number, bigint>()
    for (const [part, bits] of mask) cleared.set(part, (cleared.get(part) ?? 0n) | bits)
    this.cleared.set(record, cleared)
  }
}
