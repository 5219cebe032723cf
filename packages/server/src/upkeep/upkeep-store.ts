/** Progress of an owner's word indexes. */
export interface IndexState {
  /** Number of feeds with an index, and how many of these indexes are still being built. */
  readonly feeds: number
  readonly building: number
  /** Records that are not indexed yet. */
  readonly waiting: number
}

export interface StoredFile {
  readonly name: string
  readonly bytes: number
}

/** Everything that an owner can see and do about the storage of their data. */
export interface UpkeepStore {
  indexState(subjectId: string): Promise<IndexState>
  /** Deletes and rebuilds every word index. Searches leave out a stream until its index is complete. */
  rebuildIndexes(subjectId: string): Promise<void>
  /** The sizes of the files or tables that hold the data of the owner, largest first. */
  files(subjectId: string): Promise<StoredFile[]>
}
