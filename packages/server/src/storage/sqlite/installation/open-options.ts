/** In its own file, because published types must not need those of better-sqlite3. */
export interface OpenOptions {
  /** Renames unusable receipts and starts with none. */
  readonly newReceipts?: boolean | undefined
}
