import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  compileRecordSchema,
  indexedNames,
  MAX_RECORD_DEPTH,
  measureJson,
  PdppError,
  RECORD_BYTES,
  type StreamDeclaration,
} from '@pdpp/protocol'
import { splitLines } from '../lib/lines.ts'
import type { FaultReader } from '../lib/store-fault.ts'
import type { FeedKey, RecordWrite, RecordWriter } from '../records/record-store.ts'
import type { SourceService } from '../sources/declarations/source-service.ts'
import type { IngestResult, Rejection } from './ingest-result.ts'
import { lineTooLong, type ReadLine, RecordLineReader, type Refusal } from './record-line.ts'
import { LineCollector, storeRefusal, TURN_MS } from './record-lines.ts'

export interface IngestStores extends FaultReader {
  readonly writer: RecordWriter
}

/** Rows per transaction. Larger ones are faster but hold up other writes. `indexed` limits rows times indexes. */
const BATCH_ROWS = { max: 1000, min: 50, indexed: 30_000 }
const BATCH_BYTES = 1_048_576
const MAX_REPORTED = 1000
const RETRY_SECONDS = 5

export interface IngestOptions {
  /** The import that the records belong to. */
  readonly importId?: string | undefined
}

export class IngestService {
  readonly #stores: IngestStores
  readonly #sources: SourceService

  constructor(storage: IngestStores, sources: SourceService) {
    this.#stores = storage
    this.#sources = sources
  }

  /**
   * Ingests NDJSON of any size. If the body breaks off, the earlier records stay, and sending everything again does not
   * change them.
   */
  async ingest(target: FeedKey, body: AsyncIterable<Uint8Array>, options: IngestOptions = {}): Promise<IngestResult> {
    const [stream, check] = await this.#stream(target)
    const run = new IngestRun(this.#stores, target, batchRows(stream), options)
    const reader = this.#stores.writer.writeLines ? undefined : new RecordLineReader(stream, check)
    for await (const lines of splitLines(body, RECORD_BYTES)) {
      for (const line of lines) {
        if (!('bytes' in line)) await run.addTooLong(line.tooLong)
        else if (reader) await run.add(reader.read(line.bytes), line.bytes.length)
        else if (run.addLine(line.bytes)) await run.commitLines()
      }
    }
    return run.finish()
  }

  /** Like `ingest`, for rows that are already objects. Nothing is serialised before the store does it. */
  async ingestRows(
    target: FeedKey,
    rows: Iterable<Readonly<Record<string, unknown>>>,
    options: IngestOptions = {},
  ): Promise<IngestResult> {
    const [stream, check] = await this.#stream(target)
    const reader = new RecordLineReader(stream, check)
    const run = new IngestRun(this.#stores, target, batchRows(stream), options)
    for (const row of rows) {
      const measure = measureJson(row['data'], MAX_RECORD_DEPTH)
      await run.add(reader.readObject(row, measure), measure.chars)
    }
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

/** Rows per transaction. Fewer if a record is in many indexes, because each index costs time. */
function batchRows(stream: StreamDeclaration): number {
  const rows = Math.floor(BATCH_ROWS.indexed / (10 + indexedNames(stream).size))
  return Math.max(BATCH_ROWS.min, Math.min(BATCH_ROWS.max, rows))
}

class IngestRun {
  readonly #stores: IngestStores
  readonly #target: FeedKey
  readonly #options: IngestOptions
  readonly #batchRows: number
  readonly #rejections: Rejection[] = []
  #batch: { index: number; write: RecordWrite }[] = []
  #bytes = 0
  /** Lines for a store that parses lines itself. */
  readonly #lines = new LineCollector()
  #index = 0
  #accepted = 0
  #unchanged = 0
  #rejected = 0
  #yieldedAt = performance.now()

  constructor(storage: IngestStores, target: FeedKey, rows: number, options: IngestOptions = {}) {
    this.#stores = storage
    this.#target = target
    this.#options = options
    this.#batchRows = rows
  }

  async add(line: ReadLine, bytes: number): Promise<void> {
    if (performance.now() - this.#yieldedAt > TURN_MS) await this.#yield()
    if (line === 'blank') return
    const index = this.#index++
    if ('refusal' in line) return this.#refuse(index, line.refusal)
    this.#batch.push({ index, write: line.write })
    this.#bytes += bytes
    if (this.#isFull(this.#batch.length, this.#bytes)) await this.#commit()
  }

  /** Adds a line for a store that parses lines itself. Returns true if the lines must be committed now. */
  addLine(line: Buffer): boolean {
    this.#lines.add(line)
    return this.#isFull(this.#lines.count, this.#lines.size)
  }

  async addTooLong(bytes: number): Promise<void> {
    // Writes the earlier lines first, to keep the order.
    await this.commitLines()
    await this.add(lineTooLong(bytes), 0)
  }

  #isFull(rows: number, bytes: number): boolean {
    return rows >= Math.min(this.#batchRows, this.#stores.writer.batchRows) || bytes >= BATCH_BYTES
  }

  async finish(): Promise<IngestResult> {
    await this.#commit()
    await this.commitLines()
    await this.#stores.writer.noteSync(this.#target, Date.now(), true)
    this.#rejections.sort((a, b) => a.index - b.index)
    return {
      stream: this.#target.stream,
      connectionId: this.#target.connectionId,
      attempted: this.#index,
      accepted: this.#accepted,
      unchanged: this.#unchanged,
      rejected: this.#rejected,
      rejections: this.#rejections,
    }
  }

  async #commit(): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#bytes = 0
    if (batch.length === 0) return
    const { writer } = this.#stores
    const records = batch.map(({ write }) => write)
    const outcomes = await this.#try(() => writer.write(this.#target, records, this.#options.importId))
    for (const [at, outcome] of outcomes.entries()) {
      const { index, write } = batch[at]!
      if (outcome === 'accepted') this.#accepted++
      else if (outcome === 'unchanged') {
        // An unchanged record is accepted, too, so that a batch that is sent twice is accepted both times.
        this.#accepted++
        this.#unchanged++
      } else this.#refuse(index, storeRefusal(outcome, write.key))
    }
    await this.#yield()
  }

  async commitLines(): Promise<void> {
    const { count } = this.#lines
    if (count === 0) return
    const { writer } = this.#stores
    const lines = this.#lines.take()
    const { unchanged, blank, refused } = await this.#try(() =>
      writer.writeLines!(this.#target, lines, this.#options.importId),
    )
    for (const { at, ...refusal } of refused) {
      const blankBefore = blank.reduce((sum, position) => (position < at ? sum + 1 : sum), 0)
      this.#refuse(this.#index + at - blankBefore, refusal)
    }
    this.#index += count - blank.length
    this.#accepted += count - blank.length - refused.length
    this.#unchanged += unchanged.length
    await this.#yield()
  }

  async #yield(): Promise<void> {
    await nextTurn()
    this.#yieldedAt = performance.now()
  }

  async #try<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } catch (error) {
      if (error instanceof PdppError) throw error
      const isFull = this.#stores.fault(error) === 'full'
      const message = `Only the first ${this.#accepted} records could be saved${isFull ? ', because the disk of the server is full' : ''}.`
      throw new PdppError('ingest_batch_storage_error', message, {
        retryAfterSeconds: RETRY_SECONDS,
        ...(isFull ? { nextStep: 'Make room on the disk of the server, then do it again. Repeating it is safe.' } : {}),
      })
    }
  }

  #refuse(index: number, { code, message, key }: Refusal): void {
    this.#rejected++
    if (this.#rejections.length < MAX_REPORTED)
      this.#rejections.push({ index, code, message, ...(key === undefined ? {} : { key }) })
  }
}
