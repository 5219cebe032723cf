import type { ImportedBlob, ImportedRecord, ImportProblem } from '@pdpp/importers'
import { blobId } from '@pdpp/protocol'
import { type OwnerApi, ServerRefusal } from '../../owner-api.ts'

/** How many are remembered as there; beyond that the server is asked again. */
const REMEMBERED = 100_000

export interface BlobCount {
  sent: number
  bytes: number
  /** Were there before, and did not go over the wire. */
  unchanged: number
}

interface BlobDestination {
  readonly connectorKey: string
  readonly connectionId: string
}

/** Takes files to the server before the records that refer to them. What it has is not sent again. */
export class BlobDelivery {
  readonly count: BlobCount = { sent: 0, bytes: 0, unchanged: 0 }
  readonly #api: OwnerApi
  readonly #destination: BlobDestination
  readonly #onProblem: (problem: ImportProblem) => void
  readonly #there = new Set<string>()

  constructor(api: OwnerApi, destination: BlobDestination, onProblem: (problem: ImportProblem) => void) {
    this.#api = api
    this.#destination = destination
    this.#onProblem = onProblem
  }

  /** The record as it can be taken in: a file that the server does not want is said, and not referred to. */
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
    if (await this.#isThere(blob)) {
      this.count.unchanged++
      return
    }
    const params = new URLSearchParams({
      connector_id: this.#destination.connectorKey,
      connection_id: this.#destination.connectionId,
      stream,
      record_key: typeof key === 'string' ? key : JSON.stringify(key),
      json_path: blob.path,
      mime_type: blob.mimeType,
    })
    try {
      const { sha256 } = await this.#api.upload<{ sha256: string }>(`/v1/blobs?${params}`, blob.open())
      if (sha256 !== blob.sha256) throw new Error('A file changed while it was being read. Import it again.')
    } catch (error) {
      if (error instanceof ServerRefusal && error.code === 'resource_limit') return error.message
      throw error
    }
    this.#remember(blob.sha256)
    this.count.sent++
    this.count.bytes += blob.sizeBytes
    return
  }

  async #isThere({ sha256 }: ImportedBlob): Promise<boolean> {
    if (this.#there.has(sha256)) return true
    const params = new URLSearchParams({ connection_id: this.#destination.connectionId })
    if (!(await this.#api.exists(`/v1/blobs/${blobId(sha256)}?${params}`))) return false
    this.#remember(sha256)
    return true
  }

  #remember(sha256: string): void {
    if (this.#there.size >= REMEMBERED) this.#there.clear()
    this.#there.add(sha256)
  }
}
