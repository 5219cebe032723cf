/** What one read left behind. Numbers stand for records; they become keys again only when the owner looks. */
export interface Receipt {
  readonly at: number
  readonly subjectId: string
  readonly clientId: string | undefined
  /** The grant that was read; a package where it was refused as a whole. */
  readonly grantId: string | undefined
  /** rest, mcp, stdio or cli; console for what the owner took away. */
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
   * A read of several streams of one grant is one receipt with a line for each stream. This one goes on with the
   * receipt that was written before it.
   */
  readonly continues?: boolean
}

export interface StoredReceipt extends Receipt {
  readonly sequence: number
  readonly hash: string
}

/** When a receipt was written. */
export interface ReceiptMoment {
  readonly sequence: number
  readonly at: number
}

/** What became of a record that a receipt names. */
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
  /** Where to go on; also set when the search ended early without filling the page. */
  readonly next: number | undefined
}

/** How often one client read one stream on one day (UTC), and how often it was refused. */
export interface ReceiptTally {
  /** The first millisecond of the day. */
  readonly day: number
  readonly clientId: string | undefined
  readonly stream: string | undefined
  /** Each read once, at the first of its streams. */
  readonly reads: number
  readonly refused: number
  /** Reads that showed this stream, first or not. */
  readonly shown: number
}

/** A receipt that was found to stand where it should. */
export interface ChainPosition {
  readonly sequence: number
  readonly hash: string
}

export interface ChainCheck {
  readonly checked: number
  /** The first sequence that does not fit, if any. */
  readonly brokenAt: number | undefined
  /** How far it was checked; undefined where there was nothing. */
  readonly reached: ChainPosition | undefined
}

export interface ReceiptStore {
  /** Resolves once the receipt is durable. */
  append(receipt: Receipt): Promise<void>
  list(subjectId: string, query: ReceiptQuery): Promise<ReceiptPage>
  /** The keys behind record numbers; erased records are absent from the map. */
  resolve(
    subjectId: string,
    connectorKey: string,
    stream: string,
    numbers: readonly number[],
  ): Promise<Map<number, ReceiptRecord>>
  /** The numbers that a record has had (it may have been deleted and come back). */
  numbersOf(
    subjectId: string,
    connectorKey: string,
    stream: string,
    key: string,
    connectionId?: string,
  ): Promise<number[]>
  /** When each of these grants or packages last asked for something, refused or not; absent from the map if never. */
  lastUsed(subjectId: string, grantIds: readonly string[]): Promise<Map<string, number>>
  /** Drops receipts older than `before`, keeping the hash that the rest of the chain stands on. */
  prune(subjectId: string, before: number): Promise<number>
  /** Recomputes the chain, all of it or `limit` receipts after a position. */
  verify(subjectId: string, part?: { after?: ChainPosition | undefined; limit: number }): Promise<ChainCheck>
  /** Newest day first; at most `limit` rows. */
  tally(subjectId: string, query: { since: number; until?: number; limit: number }): Promise<ReceiptTally[]>
  /** The first receipt of a read that each of these grants ever had; absent from the map where it is gone. */
  firstOf(subjectId: string, grantIds: readonly string[]): Promise<Map<string, number>>
  /** One receipt of a client, and up to `most` of the same client on each side of it. */
  around(subjectId: string, clientId: string, sequence: number, most: number): Promise<ReceiptMoment[]>
}
