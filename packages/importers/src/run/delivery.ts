import { MAX_RECORD_DEPTH, measureJson } from '@pdpp/protocol'
import type { ImportedRecord, ImportProblem, InputPosition } from '../importer.ts'
import { BlobDelivery } from './blob-delivery.ts'
import type { Destination, IngestRow } from './destination.ts'

/** Max. records and characters per batch: as large as one transaction of the server. */
const BATCH_ROWS = 1000
const BATCH_CHARS = 1_048_576

export interface StreamCount {
  sent: number
  /** New and changed records. */
  written: number
  unchanged: number
  rejected: number
}

interface Batch {
  rows: IngestRow[]
  places: InputPosition[]
  chars: number
}

/** Sends records in batches. At most one batch is being sent while the next one is filled, to bound memory. */
export class Delivery {
  readonly counts = new Map<string, StreamCount>()
  readonly blobs: BlobDelivery
  readonly #to: Destination
  readonly #target: { connectorKey: string; connectionId: string }
  readonly #onProblem: (problem: ImportProblem) => void
  readonly #batches = new Map<string, Batch>()
  #underWay: Promise<void> = Promise.resolve()

  constructor(
    to: Destination,
    target: { connectorKey: string; connectionId: string },
    onProblem: (problem: ImportProblem) => void,
  ) {
    this.#to = to
    this.#target = target
    this.#onProblem = onProblem
    this.blobs = new BlobDelivery(to, target, onProblem)
  }

  async add(record: ImportedRecord): Promise<void> {
    const { stream, key, data, place } = record.blobs ? await this.blobs.deliver(record) : record
    const batch = this.#batches.get(stream) ?? { rows: [], places: [], chars: 0 }
    this.#batches.set(stream, batch)
    batch.rows.push({ key, data })
    batch.places.push(place)
    batch.chars += measureJson(data, MAX_RECORD_DEPTH).chars
    if (batch.rows.length >= BATCH_ROWS || batch.chars >= BATCH_CHARS) await this.#send(stream)
  }

  /** Resolves when the server has answered for every record. */
  async finish(): Promise<void> {
    for (const stream of this.#batches.keys()) await this.#send(stream)
    await this.#underWay
  }

  async #send(stream: string): Promise<void> {
    const batch = this.#batches.get(stream)
    this.#batches.delete(stream)
    if (!batch || batch.rows.length === 0) return
    await this.#underWay
    this.#underWay = this.#ingest(stream, batch)
    // The next await receives the error. Until then Node must not report it as unhandled.
    this.#underWay.catch(() => {})
  }

  async #ingest(stream: string, { rows, places }: Batch): Promise<void> {
    const result = await this.#to.ingest({ ...this.#target, stream }, rows)
    const count = this.counts.get(stream) ?? { sent: 0, written: 0, unchanged: 0, rejected: 0 }
    this.counts.set(stream, count)
    count.sent += result.attempted
    count.written += result.accepted - result.unchanged
    count.unchanged += result.unchanged
    count.rejected += result.rejected
    for (const { index, message } of result.rejections)
      this.#onProblem({ place: places[index]!, reason: `was refused: ${message}`, kind: stream, kept: false })
  }
}
