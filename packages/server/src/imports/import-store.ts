import type { ImportBody, ImportState, StoredImport } from './import.ts'

export interface ImportChange {
  readonly state?: ImportState
  readonly body?: Partial<ImportBody>
}

export interface ImportStore {
  create(subjectId: string, importId: string, state: ImportState, body: ImportBody, at: number): Promise<void>
  /** Keeps the other members of the body. False if the import is in none of the states `from`. */
  change(subjectId: string, importId: string, change: ImportChange, from?: readonly ImportState[]): Promise<boolean>
  find(subjectId: string, importId: string): Promise<StoredImport | undefined>
  /** Newest first. */
  list(subjectId: string, page: { limit: number; before?: string | undefined }): Promise<StoredImport[]>
  /** Imports in one of these states, oldest first. */
  inState(subjectId: string, states: readonly ImportState[]): Promise<StoredImport[]>
  remove(subjectId: string, importId: string): Promise<void>
  /** Stores the first problems, up to `max`. Counts all of them, and `uncounted` further ones. */
  addProblems(
    subjectId: string,
    importId: string,
    problems: readonly object[],
    uncounted: number,
    max: number,
  ): Promise<void>
  clearProblems(subjectId: string, importId: string): Promise<void>
  problems(
    subjectId: string,
    importId: string,
    page: { after: number; limit: number },
  ): Promise<{ at: number; body: unknown }[]>
  /**
   * Undoes some records of an import: deletes those that it added and restores those that it changed. Records that were
   * changed since then stay. True when all are done. Can be called again after a crash.
   */
  undo(subjectId: string, importId: string, records: number): Promise<boolean>
  /**
   * Removes connections and sources that an import created, if they have no records and no grant and were not changed.
   * The others stay, with a reason. Can be called again after a crash.
   */
  removeUnused(subjectId: string, importId: string): Promise<void>
  /** Deletes the problems of imports into an erased connection, because they may quote records. Keeps their number. */
  forgetProblems(subjectId: string, connectionId: string): Promise<void>
  /** Deletes the problems and earlier record versions of older imports. */
  prune(subjectId: string, keep: { imports: number; since: number }): Promise<void>
}
