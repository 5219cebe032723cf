import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LineOutcomes, RecordLines, RecordWrite, RefusedLine, WriteOutcome } from '../records/record-store.ts'
import type { RecordLineReader, Refusal } from './record-line.ts'

/** Let other work run after this many milliseconds, because checking a line can take long. */
export const TURN_MS = 3
/** Larger buffers are not reused for the next batch. */
const MAX_KEPT_BYTES = 4 * 1_048_576

/** Collects the lines of a batch. Copies the bytes, because the sender may reuse its memory. */
export class LineCollector {
  #bytes = Buffer.allocUnsafe(65_536)
  #ends: number[] = []
  size = 0

  get count(): number {
    return this.#ends.length
  }

  add(line: Buffer): void {
    const end = this.size + line.length
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.size)
      this.#bytes = larger
    }
    line.copy(this.#bytes, this.size)
    this.size = end
    this.#ends.push(end)
  }

  /** Returns the lines and starts an empty batch. */
  take(): RecordLines {
    // A thread gets a copy of the whole buffer, so the buffer must contain only these bytes.
    const lines = { bytes: new Uint8Array(this.#bytes.subarray(0, this.size)), ends: Uint32Array.from(this.#ends) }
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.allocUnsafe(65_536)
    this.#ends = []
    this.size = 0
    return lines
  }
}

/** Parses lines, writes their records, and reports the result of each line. */
export async function writeRecordLines(
  { bytes, ends }: RecordLines,
  reader: RecordLineReader,
  write: (records: readonly RecordWrite[]) => Promise<readonly WriteOutcome[]>,
): Promise<LineOutcomes> {
  const [records, positions] = [[] as RecordWrite[], [] as number[]]
  const [unchanged, blank, refused] = [[] as number[], [] as number[], [] as RefusedLine[]]
  let [start, yieldedAt] = [0, performance.now()]
  for (let at = 0; at < ends.length; at++) {
    const end = ends[at]!
    if (performance.now() - yieldedAt > TURN_MS) {
      await nextTurn()
      yieldedAt = performance.now()
    }
    const line = reader.read(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start))
    start = end
    if (line === 'blank') blank.push(at)
    else if ('refusal' in line) refused.push({ at, ...line.refusal })
    else {
      records.push(line.write)
      positions.push(at)
    }
  }
  const outcomes = records.length === 0 ? [] : await write(records)
  for (const [index, outcome] of outcomes.entries()) {
    const at = positions[index]!
    if (outcome === 'unchanged') unchanged.push(at)
    else if (outcome !== 'accepted') refused.push({ at, ...storeRefusal(outcome, records[index]!.key) })
  }
  return { unchanged, blank, refused }
}

const REASONS = {
  append_only_conflict: 'This stream is append-only and has another record under this key.',
  blob_not_found:
    'The record refers to a blob that is not here, or has another size: send it with POST /v1/blobs first.',
} as const

/** The reason why the store refused a record. */
export const storeRefusal = (code: keyof typeof REASONS, key: string): Refusal => ({
  code,
  message: REASONS[code],
  key,
})
