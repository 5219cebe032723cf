import type { BlobUse, RecordWrite } from '../../../records/record-store.ts'
import type { Session } from '../engine/session.ts'
import { releaseBlobs } from './blob-references.ts'

interface Reference {
  readonly path: string
  readonly sha256: string
  readonly field: string
  readonly isAwaited: boolean
}

/** The references of the records of one batch to blobs, before and after. */
export class BlobBatch {
  readonly #session: Session
  readonly #subject: number
  readonly #feed: number
  /** Sizes of the blobs that the batch names. */
  readonly #sizes = new Map<string, number>()
  readonly #references = new Map<string, Reference[]>()
  readonly #touched = new Set<string>()
  readonly #lost = new Set<string>()

  private constructor(session: Session, { subject, feed }: { subject: number; feed: number }) {
    this.#session = session
    this.#subject = subject
    this.#feed = feed
  }

  static async open(
    session: Session,
    feedId: { subject: number; feed: number },
    records: readonly RecordWrite[],
    hasBlobs: boolean,
  ): Promise<BlobBatch> {
    const batch = new BlobBatch(session, feedId)
    const named = new Set(records.flatMap(({ data }) => (data?.blobs ?? []).map(({ sha256 }) => sha256)))
    // The lock stops others from deleting these blobs until the record that names them is committed.
    const sizes = 'select sha256, size_bytes from blob where subject = ? and sha256 = any(?::text[]) for key share'
    if (named.size > 0)
      for (const row of await session.all<{ sha256: string; size_bytes: number }>(sizes, feedId.subject, [...named]))
        batch.#sizes.set(row.sha256, row.size_bytes)
    if (!hasBlobs) return batch
    const sql = `select key, path, sha256, field, awaited_until is not null awaited from blob_reference
      where subject = ? and feed = ? and key = any(?::text[])`
    const keys = records.map(({ key }) => key)
    const rows = await session.all<{ key: string; path: string; sha256: string; field: string; awaited: boolean }>(
      sql,
      ...[feedId.subject, feedId.feed, keys],
    )
    for (const { key, awaited: isAwaited, ...row } of rows)
      batch.#references.set(key, [...(batch.#references.get(key) ?? []), { ...row, isAwaited }])
    return batch
  }

  /** Whether all blobs are stored, each with the size that the record says. */
  areStored(uses: readonly BlobUse[]): boolean {
    return uses.every(({ sha256, sizeBytes }) => {
      const size = this.#sizes.get(sha256)
      return size !== undefined && (sizeBytes === undefined || size === sizeBytes)
    })
  }

  /** Replaces a record's references. */
  refer(key: string, uses: readonly BlobUse[]): void {
    const known = this.#references.get(key) ?? []
    if (known.length === 0 && uses.length === 0) return
    const used = new Set(uses.map(({ sha256 }) => sha256))
    const isUsed = ({ path, sha256 }: Reference) => uses.some((use) => use.path === path && use.sha256 === sha256)
    const kept = known.filter((reference) => {
      // A blob that was sent for a later version of the record keeps waiting for it.
      if (isUsed(reference) || (reference.isAwaited && !used.has(reference.sha256))) return true
      this.#lost.add(reference.sha256)
      return false
    })
    const others = kept.filter((reference) => !isUsed(reference))
    const named = uses.map(({ path, sha256, field }) => {
      const before = kept.find((reference) => reference.path === path && reference.sha256 === sha256)
      return { path, sha256, field: before && !before.isAwaited ? before.field : field, isAwaited: false }
    })
    this.#references.set(key, [...others, ...named])
    this.#touched.add(key)
  }

  /** Removes all references of a record, used or awaited. */
  forget(key: string): void {
    const known = this.#references.get(key) ?? []
    if (known.length === 0) return
    for (const { sha256 } of known) this.#lost.add(sha256)
    this.#references.set(key, [])
    this.#touched.add(key)
  }

  async write(): Promise<void> {
    if (this.#touched.size === 0) return
    const [subject, feed] = [this.#subject, this.#feed]
    const rows = [...this.#touched].flatMap((key) =>
      this.#references
        .get(key)!
        .filter(({ isAwaited }) => !isAwaited)
        .map((row) => ({ key, ...row })),
    )
    const lists = [rows.map(({ key }) => key), rows.map(({ path }) => path), rows.map(({ sha256 }) => sha256)]
    const awaited = [...this.#touched].flatMap((key) =>
      this.#references
        .get(key)!
        .filter(({ isAwaited }) => isAwaited)
        .map(({ path, sha256 }) => ({ key, path, sha256 })),
    )
    const stays = 'select * from unnest(?::text[], ?::text[], ?::text[])'
    const remove = `delete from blob_reference where subject = ? and feed = ? and key = any(?::text[])
      and (key, path, sha256) not in (${stays})`
    const all = [...rows, ...awaited]
    await this.#session.run(
      remove,
      ...[subject, feed, [...this.#touched]],
      ...[all.map(({ key }) => key), all.map(({ path }) => path), all.map(({ sha256 }) => sha256)],
    )
    const insert = `insert into blob_reference (subject, feed, key, path, sha256, field)
      select ?, ?, * from unnest(?::text[], ?::text[], ?::text[], ?::text[])
      on conflict (subject, feed, key, path, sha256) do update set awaited_until = null, field = excluded.field
      where blob_reference.awaited_until is not null`
    if (rows.length > 0)
      await this.#session.run(
        insert,
        subject,
        feed,
        ...lists,
        rows.map(({ field }) => field),
      )
    await releaseBlobs(this.#session, subject, this.#lost)
  }
}
