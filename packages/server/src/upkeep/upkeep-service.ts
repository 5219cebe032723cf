import type { IndexState, StoredFile, UpkeepStore } from './upkeep-store.ts'

export class UpkeepService {
  readonly #store: UpkeepStore
  readonly #log: (line: string) => void
  readonly #rebuilding = new Set<string>()

  constructor(store: UpkeepStore, log: (line: string) => void) {
    this.#store = store
    this.#log = log
  }

  /** Includes a rebuild that has just started and is not in the store yet. */
  async indexState(subjectId: string): Promise<IndexState> {
    const state = await this.#store.indexState(subjectId)
    const begun = this.#rebuilding.has(subjectId) ? Math.min(1, state.feeds) : 0
    return { ...state, building: Math.max(state.building, begun) }
  }

  files(subjectId: string): Promise<StoredFile[]> {
    return this.#store.files(subjectId)
  }

  /** Starts a rebuild in the background, which resumes after a restart. Returns false if one is already running. */
  rebuild(subjectId: string): boolean {
    if (this.#rebuilding.has(subjectId)) return false
    this.#rebuilding.add(subjectId)
    this.#store
      .rebuildIndexes(subjectId)
      .catch((error: Error) => this.#log(`building the search index failed: ${error.message}`))
      .finally(() => this.#rebuilding.delete(subjectId))
    return true
  }
}
