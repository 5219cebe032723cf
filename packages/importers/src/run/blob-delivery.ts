import type { ImportedBlob, ImportedRecord, ImportProblem } from '../importer.ts'

/** Max. hashes that are remembered. Above it, the server is asked again. */
const REMEMBERED = 100_000

export interface BlobCount {
  sent: number
  bytes: number
  /** Files that the server already had, so that they were not sent. */
  unchanged: number
}

export interface BlobField {
  readonly connectorKey: string
  readonly connectionId: string
  readonly stream: string
  readonly key: ImportedRecord['key']
}

/** Receives the files of an import. When it refuses a file, it throws an error with a `code`. */
export interface BlobDestination {
  /** True if a record of the connection already refers to these bytes. */
  hasBlob(connectionId: string, sha256: string): Promise<boolean>
  /** Returns the hash of the bytes that the destination received. */
  putBlob(place: BlobField, blob: ImportedBlob): Promise<string>
}

/** Sends files to the server before the records that refer to them. Files that the server has are not sent again. */
export class BlobDelivery {
  readonly count: BlobCount = { sent: 0, bytes: 0, unchanged: 0 }
  readonly #to: BlobDestination
  readonly #target: { connectorKey: string; connectionId: string }
  readonly #onProblem: (problem: ImportProblem) => void
  readonly #there = new Set<string>()

  constructor(
    to: BlobDestination,
    target: { connectorKey: string; connectionId: string },
    onProblem: (problem: ImportProblem) => void,
  ) {
    this.#to = to
    this.#target = target
    this.#onProblem = onProblem
  }

  /** Returns the record to write. If the server refuses a file as too large, the record does not refer to it. */
  async deliver(record: ImportedRecord): Promise<ImportedRecord> {
    let { data } = record
    for (const blob of record.blobs ?? []) {
      const refusal = await this.#send(record, blob)
      if (refusal === undefined) continue
      this.#onProblem({ place: record.place, reason: `has a file that was refused: ${refusal}`, kept: true })
      data = { ...data, [blob.path.slice(1)]: null }
    }
    return { ...record, data }
  }

  async #send({ stream, key }: ImportedRecord, blob: ImportedBlob): Promise<string | undefined> {
    if (await this.#isThere(blob.sha256)) {
      this.count.unchanged++
      return
    }
    try {
      const arrived = await this.#to.putBlob({ ...this.#target, stream, key }, blob)
      if (arrived !== blob.sha256) throw new Error('A file changed while it was being read. Import it again.')
    } catch (error) {
      if ((error as { code?: string }).code === 'resource_limit') return (error as Error).message
      throw error
    }
    this.#remember(blob.sha256)
    this.count.sent++
    this.count.bytes += blob.sizeBytes
    return
  }

  async #isThere(sha256: string): Promise<boolean> {
    if (this.#there.has(sha256)) return true
    if (!(await this.#to.hasBlob(this.#target.connectionId, sha256))) return false
    this.#remember(sha256)
    return true
  }

  #remember(sha256: string): void {
    if (this.#there.size >= REMEMBERED) this.#there.clear()
    this.#there.add(sha256)
  }
}
