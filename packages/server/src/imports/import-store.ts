import type { ImportBody, ImportState, StoredImport } from './import.ts'

export interface ImportChange {
  readonly state?: ImportState
  readonly body?: Partial<ImportBody>
}

export interface ImportStore {
  create(subjectId: string, importId: string, state: ImportState, body: ImportBody, at: number): Promise<void>
  /** Members of the body that are not named stay. False when it is in none of the states `from`. */
  change(importId: string, change: ImportChange, from?: readonly ImportState[]): Promise<boolean>
  find(subjectId: string, importId: string): Promise<StoredImport | undefined>
  /** Newest first. */
  list(subjectId: string, page: { limit: number; before?: string | undefined }): Promise<StoredImport[]>
  /** Those in one of these states, oldest first. */
  inState(subjectId: string, states: readonly ImportState[]): Promise<StoredImport[]>
  remove(importId: string): Promise<void>
  /** Keeps the first problems, up to `max`, and counts all of them and those that nobody wrote down. */
  addProblems(importId: string, problems: readonly object[], uncounted: number, max: number): Promise<void>
  clearProblems(importId: string): Promise<void>
  problems(importId: string, page: { after: number; limit: number }): Promise<{ at: number; body: unknown }[]>
  /**
   * Takes back some of what an import wrote: deletes what it added and is as it left it, puts back what it changed
   * likewise. What was changed since stays. True when all is done; what is left after a crash is done by calling again.
   */
  undo(importId: string, records: number): Promise<boolean>
  /**
   * Removes the connections and sources that an import made and that nobody uses: without records, named by no grant,
   * as they were made. The others stay, and it says why. Done again after a crash.
   */
  removeUnused(importId: string): Promise<void>
  /** Deletes the problems of imports into an erased connection, because they may quote records. Keeps their number. */
  forgetProblems(subjectId: string, connectionId: string): Promise<void>
  /** Drops the problems and earlier versions that older imports keep. */
  prune(subjectId: string, keep: { imports: number; since: number }): Promise<void>
}
