import type { ListedSegment } from '../../../search/segments/index-snapshot.ts'
import type { SmallWords } from '../../../search/segments/small-segment.ts'

/** A segment in memory: its documents, which of them are dead, and the words of a small one. */
export interface LoadedSegment extends ListedSegment {
  readonly age: number
  readonly small: SmallWords | undefined
}
