/** How far the word indexes of an owner's records are. */
export interface IndexState {
  /** Feeds that have one, and how many of these are still being built. */
  readonly feeds: number
  readonly building: number
  /** Records that have yet to be taken in. */
  readonly waiting: number
}

export interface StoredFile {
  readonly name: string
  readonly bytes: number
}

/** What an owner can see and do about how their data is kept. */
export interface UpkeepStore {
  indexState(subjectId: string): Promise<IndexState>
  /** Throws every word index away and builds it again; searches go on meanwhile with what is there. */
  rebuildIndexes(subjectId: string): Promise<void>
  /** Everything that the store keeps, largest first. */
  files(): Promise<StoredFile[]>
}
