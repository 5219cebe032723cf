import type { ListedSegment } from '../../../search/segments/index-snapshot.ts'
import type { StoredWords } from './stored-words.ts'

/** A segment in memory: its documents, which of them are dead, and where its words are. */
export interface LoadedSegment extends ListedSegment {
  readonly age: number
  readonly words: StoredWords
}
