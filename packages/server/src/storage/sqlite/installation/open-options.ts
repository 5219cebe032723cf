/** Apart from what opens the files, whose types need those of a library that has none of its own. */
export interface OpenOptions {
  /** The owner gives up receipts that cannot be used: the old file is set aside, and they begin anew. */
  readonly newReceipts?: boolean | undefined
}
