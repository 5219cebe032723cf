import { createHash, randomUUID } from 'node:crypto'
import { PdppError } from '@pdpp/protocol'
import type { BlobTarget, BlobUpload, StoredBlob } from '../../../blobs/blob-store.ts'
import { type BlobRow, blobFromRow } from '../../rows/blob-row.ts'
import type { Database } from '../engine/database.ts'
import type { Owners } from '../installation/owners.ts'
import type { Streams } from '../records/feeds.ts'
import { releaseBlobs } from './blob-references.ts'

/** How long a blob may wait for its record. */
const AWAITED_MS = 86_400_000
/** An upload that began longer ago than this was cut off. */
const MAX_UPLOAD_MS = 86_400_000
/** Max. bytes of a row. */
export const CHUNK_BYTES = 262_144

interface ReceivedBlob {
  readonly name: string
  readonly sha256: string
  readonly sizeBytes: number
}

export class BlobWriter {
  readonly #database: Database
  readonly #owners: Owners
  readonly #streams: Streams

  constructor(database: Database, owners: Owners, streams: Streams) {
    this.#database = database
    this.#owners = owners
    this.#streams = streams
  }

  async put(target: BlobTarget, upload: BlobUpload): Promise<StoredBlob> {
    if ((upload.declaredBytes ?? 0) > upload.maxBytes) throw tooLarge(upload.maxBytes)
    const subject = await this.#owners.require(target.subjectId)
    const name = `upload ${randomUUID()}`
    await this.#database.run('insert into blob_upload values (?, ?, ?)', subject, name, Date.now())
    try {
      return await this.#keep(subject, target, await this.#receive(subject, name, upload), upload.mimeType)
    } finally {
      await this.#drop(subject, name)
    }
  }

  /** Only one piece at a time is in memory. */
  async #receive(subject: number, name: string, { bytes, maxBytes }: BlobUpload): Promise<ReceivedBlob> {
    const hash = createHash('sha256')
    let [sizeBytes, no, held] = [0, 0, [] as Uint8Array[]]
    let heldBytes = 0
    const store = async (piece: Uint8Array) =>
      void (await this.#database.run('insert into blob_chunk values (?, ?, ?, ?)', subject, name, no++, piece))
    for await (const part of bytes) {
      sizeBytes += part.length
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      hash.update(part)
      held.push(part)
      heldBytes += part.length
      if (heldBytes < CHUNK_BYTES) continue
      const joined = Buffer.concat(held)
      let from = 0
      for (; from + CHUNK_BYTES <= joined.length; from += CHUNK_BYTES)
        await store(joined.subarray(from, from + CHUNK_BYTES))
      held = [joined.subarray(from)]
      heldBytes = joined.length - from
    }
    if (heldBytes > 0) await store(Buffer.concat(held))
    return { name, sha256: hash.digest('hex'), sizeBytes }
  }

  async #keep(
    subject: number,
    { key, path, ...target }: BlobTarget,
    { name, sha256, sizeBytes }: ReceivedBlob,
    mimeType: string | undefined,
  ): Promise<StoredBlob> {
    return this.#database.transaction(async (session) => {
      const known = 'select 1 from connection where subject = ? and connection_id = ?'
      // The upload may have taken long enough for the connection to be removed.
      if (!(await session.get(known, subject, target.connectionId)))
        throw new PdppError('connection_not_found', 'The connection has just been removed.', { param: 'connection_id' })
      const { feed } = (await this.#streams.openFeed(session, subject, { ...target })).feed
      const now = Date.now()
      const values = [subject, sha256, sizeBytes, mimeType ?? null, now]
      const isNew =
        (await session.run('insert into blob values (?, ?, ?, ?, ?) on conflict do nothing', ...values)) === 1
      // The lock stops others from deleting an existing blob until its new reference is committed.
      const found = 'select sha256, size_bytes, mime_type from blob where subject = ? and sha256 = ? for update'
      const row = await session.get<BlobRow>(found, subject, sha256)
      // The blob was removed between the two statements.
      if (!row) throw new PdppError('server_busy', 'The same bytes were just being deleted.', { retryAfterSeconds: 1 })
      if (isNew)
        await session.run('update blob_chunk set name = ? where subject = ? and name = ?', sha256, subject, name)
      const refer = `insert into blob_reference (subject, feed, key, path, sha256, field, awaited_until)
        values (?, ?, ?, ?, ?, '', ?) on conflict (subject, feed, key, path, sha256)
        do update set awaited_until = excluded.awaited_until where blob_reference.awaited_until is not null`
      await session.run(refer, subject, feed, key, path, sha256, now + AWAITED_MS)
      return blobFromRow(row)
    })
  }

  async #drop(subject: number, name: string): Promise<void> {
    for (const table of ['blob_chunk', 'blob_upload'])
      await this.#database.run(`delete from ${table} where subject = ? and name = ?`, subject, name)
  }

  async sweep(): Promise<void> {
    await this.removeUnreferenced(Date.now())
    const sql = 'select subject, name from blob_upload where started_at < ?'
    const old = await this.#database.all<{ subject: number; name: string }>(sql, Date.now() - MAX_UPLOAD_MS)
    for (const { subject, name } of old) await this.#drop(subject, name)
  }

  async removeUnreferenced(now: number): Promise<void> {
    await this.#database.run('delete from blob_reference where awaited_until < ?', now)
    const sql = `select subject, sha256 from blob b where not exists
      (select 1 from blob_reference r where r.subject = b.subject and r.sha256 = b.sha256)`
    for (const { subject, sha256 } of await this.#database.all<{ subject: number; sha256: string }>(sql))
      await this.#database.quiet((session) => releaseBlobs(session, subject, new Set([sha256])))
  }
}

function tooLarge(maxBytes: number): PdppError {
  return new PdppError('resource_limit', `A blob may have at most ${maxBytes} bytes on this server.`, {
    nextStep: 'Leave the file out, or ask the owner to raise PDPP_BLOB_MAX_BYTES.',
  })
}
