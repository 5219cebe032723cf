/** The record of one read. Records are numbers here; they become keys only when the owner looks at the receipt. */
export interface Receipt {
  readonly at: number
  readonly subjectId: string
  readonly clientId: string | undefined
  /** The grant of the read, or the package if it was refused as a whole. */
  readonly grantId: string | undefined
  /** rest, mcp, stdio or cli. console for downloads by the owner. */
  readonly surface: string
  /** The route or tool. */
  readonly operation: string
  readonly connectorKey: string | undefined
  readonly stream: string | undefined
  readonly connections: readonly string[]
  readonly fields: readonly string[]
  readonly records: readonly number[]
  readonly bytes: number
  /** `ok`, or the code of the refusal. */
  readonly outcome: string
  readonly requestId: string
  /**
   * A read of several streams of one grant is one receipt with a line per stream. True if this line belongs to the same
   * receipt as the line written before it.
   */
  readonly continues?: boolean
}

/** The records and fields that a read discloses, for its receipt. */
export type Disclosure = Pick<Receipt, 'grantId' | 'connectorKey' | 'stream' | 'connections' | 'fields' | 'records'>

export interface StoredReceipt extends Receipt {
  readonly sequence: number
  readonly hash: string
}

/** When a receipt was written. */
export interface ReceiptMoment {
  readonly sequence: number
  readonly at: number
}

/** The record behind a number in a receipt. */
export interface ReceiptRecord {
  readonly connectionId: string
  readonly key: string
}

export interface ReceiptQuery {
  readonly clientId?: string | undefined
  readonly grantId?: string | undefined
  readonly stream?: string | undefined
  readonly record?:
    | { readonly connectorKey: string; readonly stream: string; readonly numbers: readonly number[] }
    | undefined
  readonly outcome?: 'ok' | 'refused' | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Receipts older than this sequence. */
  readonly before?: number | undefined
  readonly limit: number
}

export interface ReceiptPage {
  /** Newest first. The lines of one receipt stay on one page, so a page may hold a few more than its limit. */
  readonly receipts: readonly StoredReceipt[]
  /** The start of the next page. Set as well if the search stopped early without filling the page. */
  readonly next: number | undefined
}

/** How often one client read one stream on one day (UTC), and how often it was refused. */
export interface ReceiptTally {
  /** The first millisecond of the day. */
  readonly day: number
  readonly clientId: string | undefined
  readonly stream: string | undefined
  /** Reads of several streams count once, at their first stream. */
  readonly reads: number
  readonly refused: number
  /** Reads that disclosed this stream, whether first or not. */
  readonly shown: number
}

/** The last receipt that was verified. */
export interface ChainPosition {
  readonly sequence: number
  readonly hash: string
}

export interface ChainCheck {
  readonly checked: number
  /** The first sequence that does not fit, if any. */
  readonly brokenAt: number | undefined
  /** The last verified receipt. Undefined if there are none. */
  readonly reached: ChainPosition | undefined
}

/** Max. names per agent and day that a tally counts individually although nothing was read under them. */
export const MAX_REFUSED_NAMES = 50

export interface ReceiptStore {
  /** Resolves once the receipt is durable. A store may wait up to `maxWaitMs` to write several at once. */
  append(receipt: Receipt, maxWaitMs?: number): Promise<void>
  list(subjectId: string, query: ReceiptQuery): Promise<ReceiptPage>
  /** The records behind the numbers. Erased records are absent from the map. */
  resolve(
    subjectId: string,
    connectorKey: string,
    stream: string,
    numbers: readonly number[],
  ): Promise<Map<number, ReceiptRecord>>
  /** All numbers a record has had. A record that was deleted and came back has several. */
  numbersOf(
    subjectId: string,
    connectorKey: string,
    stream: string,
    key: string,
    connectionId?: string,
  ): Promise<number[]>
  /** When each grant or package last read or was refused. Absent from the map if never. */
  lastUsed(subjectId: string, grantIds: readonly string[]): Promise<Map<string, number>>
  /** Copies the last use of a grant to its replacement, which has no receipts of its own yet. */
  passUse(subjectId: string, from: string, to: string): Promise<void>
  /** Deletes receipts older than `before` and keeps the hash that the rest of the chain builds on. */
  prune(subjectId: string, before: number): Promise<number>
  /** Recomputes the chain, all of it or `limit` receipts after a position. */
  verify(subjectId: string, part?: { after?: ChainPosition | undefined; limit: number }): Promise<ChainCheck>
  /**
   * Newest day first; within a day, streams that were read come before those that were only refused. Max. `limit` rows.
   * If a client was refused many streams, the rest of them are counted under no stream.
   */
  tally(subjectId: string, query: { since: number; until?: number; limit: number }): Promise<ReceiptTally[]>
  /** The first successful read of each grant. Absent from the map if its receipt was deleted. */
  firstOf(subjectId: string, grantIds: readonly string[]): Promise<Map<string, number>>
  /** One receipt of a client, and up to `maxPerSide` receipts of the same client before and after it. */
  around(subjectId: string, clientId: string, sequence: number, maxPerSide: number): Promise<ReceiptMoment[]>
}
