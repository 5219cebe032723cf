import type { ListedSegment } from '../../../search/segments/index-snapshot.ts'
import type { StoredWords } from './stored-words.ts'

/** A segment in memory: its documents, its dead documents, and a reader of its words. */
export interface LoadedSegment extends ListedSegment {
  readonly age: number
  readonly words: StoredWords
}
