import { extname } from 'node:path'
import { JobThread } from '../../lib/threads/job-thread.ts'
import type { IndexedDocument } from '../../search/segments/segment.ts'
import { buildSegment } from '../../search/segments/segment-builder.ts'
import { type EncodedSegment, encodeSegment } from './encoded-segment.ts'

/** Max. UTF-16 units of text that are split into words in the event loop, which takes a few milliseconds. */
const MAX_INLINE_UNITS = 32 * 1024

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./build-worker${extname(import.meta.filename)}`, import.meta.url)

/** Builds segments from documents: a few documents in this thread, many in another. */
export class SegmentBuilding {
  readonly #thread = new JobThread<readonly IndexedDocument[], EncodedSegment>(WORKER)

  async build(documents: readonly IndexedDocument[]): Promise<EncodedSegment> {
    let units = 0
    for (const { texts } of documents) for (const text of texts) units += text.length
    return units > MAX_INLINE_UNITS ? this.#thread.run(documents) : encodeSegment(buildSegment(documents))
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
