import { canonicalJson, parseJson } from '@pdpp/protocol'
import type { RecordWrite, WriteOutcome } from '../../../records/record-store.ts'
import { ALL_FIELDS, maskOf } from '../../records/change-mask.ts'
import type { Layout } from '../../records/layout.ts'
import { ChangeLog } from './change-log.ts'
import { slotValue } from './slots.ts'

/** A record as it is stored, or will be. */
export interface RecordState {
  readonly id: number
  readonly key: string
  readonly data: string
  /** The consent time, in microseconds. */
  readonly time: number | null
}

/** A row that is written. */
export interface WrittenRow extends RecordState {
  readonly emittedAt: number
  readonly extra: number
  readonly touched: number
  readonly members: Readonly<Record<string, unknown>>
}

export interface NewTombstone {
  readonly number: number
  current: number
  readonly key: string
  readonly time: number | null
  readonly at: number
  readonly version: number
}

/** Is called with every change, in order. */
export interface BatchListener {
  added(row: WrittenRow): void
  changing(before: RecordState): void
  changed(row: WrittenRow, members: readonly string[]): void
  removed(id: number): void
}

interface BatchStart {
  readonly layout: Layout
  readonly isAppendOnly: boolean
  readonly timeField: string | undefined
  readonly version: number
  readonly nextRecord: number
  /** The stored records with the keys of the batch. */
  readonly stored: ReadonlyMap<string, RecordState>
  /** The numbers of the records that the tombstones of a key point to. */
  readonly formerly: ReadonlyMap<string, readonly number[]>
}

/**
 * The changes that the writes of one transaction make to a feed. Computes them in memory, because the same key may come
 * several times. Afterwards one statement writes all rows of a kind.
 */
export class RecordBatch {
  readonly inserted = new Map<number, WrittenRow>()
  readonly updated = new Map<number, WrittenRow>()
  readonly deleted = new Set<number>()
  readonly tombstones: NewTombstone[] = []
  /** The record that the stored tombstones of a key point to now. */
  readonly relinked = new Map<string, number>()
  readonly log: ChangeLog
  readonly #start: BatchStart
  readonly #listener: BatchListener
  readonly #states = new Map<string, RecordState | undefined>()
  nextRecord: number
  added = 0

  constructor(start: BatchStart, listener: BatchListener) {
    this.#start = start
    this.#listener = listener
    this.nextRecord = start.nextRecord
    this.log = new ChangeLog(start.version, start.nextRecord)
  }

  apply(record: RecordWrite): WriteOutcome {
    const before = this.#states.has(record.key) ? this.#states.get(record.key) : this.#start.stored.get(record.key)
    if (!record.data) return before ? this.#delete(record, before) : 'unchanged'
    const { members } = record.data
    const { json, extra } = serialise(this.#start.layout, members)
    return before ? this.#update(record, before, members, json, extra) : this.#insert(record, members, json, extra)
  }

  #insert(record: RecordWrite, members: WrittenRow['members'], data: string, extra: number): WriteOutcome {
    const id = this.nextRecord++
    const row = this.#row(record, id, members, data, extra, 0)
    this.inserted.set(id, row)
    this.#states.set(record.key, row)
    this.added++
    this.#linkTombstones(record.key, id)
    this.log.add(id, ALL_FIELDS, record.emittedAt)
    this.#listener.added(row)
    return 'accepted'
  }

  #update(
    record: RecordWrite,
    before: RecordState,
    members: WrittenRow['members'],
    data: string,
    extra: number,
  ): WriteOutcome {
    if (before.data === data) return 'unchanged'
    const changed = changedMembers(parseJson(before.data) as Record<string, unknown>, members)
    if (changed.length === 0) return 'unchanged'
    const { isAppendOnly, timeField, layout } = this.#start
    if (isAppendOnly) return 'append_only_conflict'
    this.#listener.changing(before)
    if (timeField !== undefined && changed.includes(timeField)) this.#addTombstone(before, record)
    const row = this.#row(record, before.id, members, data, extra, 1)
    ;(this.inserted.has(row.id) ? this.inserted : this.updated).set(row.id, row)
    this.#states.set(record.key, row)
    const mask = maskOf(layout, changed)
    this.log.clear(row.id, mask)
    this.log.add(row.id, mask, record.emittedAt)
    this.#listener.changed(row, changed)
    return 'accepted'
  }

  #delete(record: RecordWrite, before: RecordState): WriteOutcome {
    const { id } = before
    this.#addTombstone(before, record)
    if (!this.inserted.delete(id)) this.deleted.add(id)
    this.updated.delete(id)
    this.#states.set(record.key, undefined)
    this.added--
    this.log.forget(id)
    this.log.add(id, ALL_FIELDS, record.emittedAt, true)
    this.#listener.removed(id)
    return 'accepted'
  }

  /** Keeps the record's current consent time, because clients who saw it then must learn that it left. */
  #addTombstone({ id, key, time }: RecordState, { emittedAt: at }: RecordWrite): void {
    // The change gets the next version when it is logged.
    this.tombstones.push({ number: id, current: id, key, time, at, version: this.log.version + 1 })
  }

  /** Links a key's tombstones to the new record and removes their changes, because the new record replaces them. */
  #linkTombstones(key: string, id: number): void {
    const relinked = this.relinked.get(key)
    const stored = this.#start.formerly.get(key) ?? []
    for (const current of relinked === undefined ? stored : [relinked]) this.log.forget(current)
    if (stored.length > 0) this.relinked.set(key, id)
    for (const tombstone of this.tombstones) {
      if (tombstone.key !== key) continue
      this.log.forget(tombstone.current)
      tombstone.current = id
    }
  }

  #row(
    { key, emittedAt }: RecordWrite,
    id: number,
    members: WrittenRow['members'],
    data: string,
    extra: number,
    touched: number,
  ): WrittenRow {
    const field = this.#start.layout.fields.find(({ name }) => name === this.#start.timeField)
    const time = field?.column ? slotValue(field.kind, members[field.name]) : null
    return { id, key, emittedAt, members, data, extra, touched, time: time as number | null }
  }
}

/** Serialises members in the declaration's order, so that equal records usually have equal text. */
function serialise({ fields }: Layout, members: WrittenRow['members']): { json: string; extra: number } {
  const ordered: Record<string, unknown> = {}
  let declared = 0
  for (const { name } of fields) {
    if (!Object.hasOwn(members, name)) continue
    ordered[name] = members[name]
    declared++
  }
  const extra = Object.keys(members).length > declared ? 1 : 0
  return { json: JSON.stringify(extra ? { ...ordered, ...members } : ordered), extra }
}

function changedMembers(before: Record<string, unknown>, after: Readonly<Record<string, unknown>>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => {
    const [had, has] = [Object.hasOwn(before, name), Object.hasOwn(after, name)]
    return had !== has || canonicalJson(before[name]) !== canonicalJson(after[name])
  })
}
