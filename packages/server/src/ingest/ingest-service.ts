import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import {
  compileRecordSchema,
  type IngestReply,
  indexedNames,
  PdppError,
  RECORD_BYTES,
  type StreamDeclaration,
} from '@pdpp/protocol'
import { type Line, splitLines } from '../lib/lines.ts'
import type { FeedKey, RecordWrite, RecordWriter } from '../records/record-store.ts'
import type { SourceService } from '../sources/declarations/source-service.ts'
import { type ReadLine, RecordLineReader, type Refusal } from './record-line.ts'

/** The stores that this service needs. */
export interface IngestStores {
  readonly writer: RecordWriter
}

/** Rows per transaction. Larger ones are faster but block reads longer. `indexed` limits rows times indexes. */
const BATCH_ROWS = { max: 1000, min: 50, indexed: 30_000 }
const BATCH_BYTES = 1_048_576
const MAX_REPORTED = 1000
/** Max. milliseconds of work before other requests get a turn. Needed because refused lines never fill a batch. */
const TURN_MS = 10
/** Nobody waits for background work, so it uses smaller transactions with a pause for readers between them. */
const BACKGROUND = { rows: 200, pauseMs: 5 }

export interface IngestOptions {
  /** The import that the records belong to. */
  readonly importId?: string | undefined
  readonly inBackground?: boolean
}

const REASONS = {
  append_only_conflict: 'This stream is append-only and has another record under this key.',
  blob_not_found:
    'The record refers to a blob that is not here, or has another size: send it with POST /v1/blobs first.',
} as const

export class IngestService {
  readonly #stores: IngestStores
  readonly #sources: SourceService

  constructor(storage: IngestStores, sources: SourceService) {
    this.#stores = storage
    this.#sources = sources
  }

  /**
   * Ingests NDJSON of any size. Accepted records stay accepted: if the body breaks off, the first part is stored, and
   * sending the whole body again is safe.
   */
  async ingest(target: FeedKey, body: AsyncIterable<Uint8Array>, options: IngestOptions = {}): Promise<IngestReply> {
    const [stream, check] = await this.#stream(target)
    const reader = new RecordLineReader(stream, check)
    const read = (line: Line): ReadLine =>
      'bytes' in line
        ? reader.read(line.bytes)
        : {
            refusal: {
              code: 'resource_limit',
              message: `The line has ${line.tooLong} bytes; the maximum is ${RECORD_BYTES}.`,
            },
          }
    const run = new IngestRun(this.#stores, target, batchRows(stream), options)
    for await (const line of splitLines(body, RECORD_BYTES))
      await run.add(read(line), 'bytes' in line ? line.bytes.length : 0)
    return run.finish()
  }

  /** Ingests records that are already parsed. */
  async ingestRows(target: FeedKey, rows: Iterable<Record<string, unknown>>): Promise<IngestReply> {
    const [stream, check] = await this.#stream(target)
    const reader = new RecordLineReader(stream, check)
    const run = new IngestRun(this.#stores, target, batchRows(stream))
    for (const row of rows) await run.add(reader.readRow(row, true), 1000)
    return run.finish()
  }

  async #stream({
    subjectId,
    connectorKey,
    stream: name,
  }: FeedKey): Promise<[StreamDeclaration, Exclude<ReturnType<typeof compileRecordSchema>, string>]> {
    const stream = await this.#sources.requireStream(subjectId, connectorKey, name)
    const check = compileRecordSchema(stream.schema)
    if (typeof check === 'string') throw new PdppError('connector_invalid', `The schema of "${name}" ${check}`)
    return [stream, check]
  }
}

/** Rows per transaction. The more indexes a stream has, the more a record costs. */
function batchRows(stream: StreamDeclaration): number {
  const rows = Math.floor(BATCH_ROWS.indexed / (10 + indexedNames(stream).size))
  return Math.max(BATCH_ROWS.min, Math.min(BATCH_ROWS.max, rows))
}

class IngestRun {
  readonly #stores: IngestStores
  readonly #target: FeedKey
  readonly #options: IngestOptions
  readonly #batchRows: number
  readonly #rejections: IngestReply['rejections'] = []
  #batch: { index: number; write: RecordWrite }[] = []
  #bytes = 0
  #index = 0
  #accepted = 0
  #unchanged = 0
  #rejected = 0
  #yieldedAt = performance.now()

  constructor(storage: IngestStores, target: FeedKey, rows: number, options: IngestOptions = {}) {
    this.#stores = storage
    this.#target = target
    this.#options = options
    this.#batchRows = options.inBackground ? Math.min(rows, BACKGROUND.rows) : rows
  }

  async add(line: ReadLine, bytes: number): Promise<void> {
    if (performance.now() - this.#yieldedAt > TURN_MS) await this.#yield()
    if (line === 'blank') return
    const index = this.#index++
    if ('refusal' in line) return this.#refuse(index, line.refusal)
    this.#batch.push({ index, write: line.write })
    this.#bytes += bytes
    if (this.#batch.length >= this.#batchRows || this.#bytes >= BATCH_BYTES) await this.#commit()
  }

  async finish(): Promise<IngestReply> {
    await this.#commit()
    await this.#stores.writer.noteSync(this.#target, Date.now(), true)
    this.#rejections.sort((a, b) => a.input_index - b.input_index)
    return {
      object: 'ingest_result',
      stream: this.#target.stream,
      connection_id: this.#target.connectionId,
      records_attempted: this.#index,
      records_accepted: this.#accepted,
      records_unchanged: this.#unchanged,
      records_rejected: this.#rejected,
      errors: [],
      rejections: this.#rejections,
      rejections_truncated: this.#rejected > this.#rejections.length,
    }
  }

  async #commit(): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#bytes = 0
    if (batch.length === 0) return
    const outcomes = await this.#write(batch.map(({ write }) => write))
    for (const [at, outcome] of outcomes.entries()) {
      const { index, write } = batch[at]!
      if (outcome === 'accepted') this.#accepted++
      else if (outcome === 'unchanged') {
        // Counts as accepted, so that sending a batch twice reports the same both times.
        this.#accepted++
        this.#unchanged++
      } else this.#refuse(index, { code: outcome, message: REASONS[outcome], key: write.key })
    }
    await (this.#options.inBackground ? pause(BACKGROUND.pauseMs) : this.#yield())
  }

  async #yield(): Promise<void> {
    await nextTurn()
    this.#yieldedAt = performance.now()
  }

  async #write(writes: readonly RecordWrite[]) {
    try {
      return await this.#stores.writer.write(this.#target, writes, this.#options.importId)
    } catch (error) {
      if (error instanceof PdppError) throw error
      throw new PdppError('ingest_batch_storage_error', `Only the first ${this.#accepted} records could be saved.`)
    }
  }

  #refuse(index: number, { code, message, key }: Refusal): void {
    this.#rejected++
    if (this.#rejections.length < MAX_REPORTED)
      this.#rejections.push({ input_index: index, code, message, ...(key === undefined ? {} : { key }) })
  }
}
