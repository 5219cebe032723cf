import type {
  ChainCheck,
  ChainPosition,
  Receipt,
  ReceiptMoment,
  ReceiptPage,
  ReceiptQuery,
  ReceiptRecord,
  ReceiptStore,
  ReceiptTally,
  StoredReceipt,
} from '../../../receipts/receipt-store.ts'

import type { Databases, Handle } from '../engine/database.ts'
import { TextIds } from '../engine/text-ids.ts'
import { type ChainEnd, noteChainEnd } from '../installation/installation.ts'
import { streamTable } from '../records/feeds.ts'
import { fromRow, type ReceiptRow, receiptHash, toValues } from './receipt-row.ts'

const GENESIS = Buffer.alloc(32)
/** A search by record reads at most this many receipts before it hands back a place to go on from. */
const SCAN_ROWS = 20_000
const DAY_MS = 86_400_000
/** So much time is looked up by its index. */
const SORTED_MS = 7 * DAY_MS
/** How often the main file is told how far the receipts reach. */
const NOTE_EVERY_MS = 60_000

interface TallyRow {
  day: number
  client: number | null
  stream: number | null
  n: number
  ok: number
  shown: number
}

/** Whether the older row is of the same receipt as the line after it. */
const goesOn = (line: StoredReceipt, older: ReceiptRow): boolean =>
  line.continues === true && older.request_id === line.requestId && (older.grant_id ?? undefined) === line.grantId

interface Waiting {
  readonly receipt: Receipt
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Receipts that arrive in one turn of the event loop share a commit; each read is answered only after its own. */
export class SqliteReceiptStore implements ReceiptStore {
  readonly #db: Handle
  readonly #records: Handle
  readonly #textIds: TextIds
  readonly #lastHash = new Map<string, Buffer>()
  readonly #main: Handle
  /** Of receipts that the main file does not know of yet. */
  readonly #reach = new Map<string, ChainEnd>()
  #noting: NodeJS.Timeout | undefined
  #waiting: Waiting[] = []

  constructor(databases: Pick<Databases, 'receipts' | 'reader' | 'writer'>) {
    this.#db = databases.receipts
    this.#main = databases.writer
    this.#records = databases.reader
    this.#textIds = new TextIds(this.#db)
  }

  append(receipt: Receipt): Promise<void> {
    return new Promise((done, failed) => {
      if (this.#waiting.push({ receipt, done, failed }) === 1) setImmediate(() => this.#commit())
    })
  }

  close(): void {
    clearTimeout(this.#noting)
    this.#noteChainEnd()
  }

  async list(subjectId: string, query: ReceiptQuery): Promise<ReceiptPage> {
    const conditions = this.#conditions(subjectId, query)
    if (!conditions) return { receipts: [], next: undefined }
    const sql = `select * from receipt where ${conditions.sql} order by sequence desc limit ?`
    const wanted = new Set(query.record?.numbers)
    const receipts: ReceiptPage['receipts'][number][] = []
    let scanned = 0
    for (const row of this.#db.prepare(sql).iterate(...conditions.values, SCAN_ROWS + 1) as Iterable<ReceiptRow>) {
      if (receipts.length >= query.limit && !goesOn(receipts.at(-1)!, row))
        return { receipts, next: receipts.at(-1)!.sequence }
      if (++scanned > SCAN_ROWS) return { receipts, next: row.sequence + 1 }
      const receipt = fromRow(row, this.#textIds)
      if (!query.record || receipt.records.some((number) => wanted.has(number))) receipts.push(receipt)
    }
    return { receipts, next: undefined }
  }

  async resolve(
    subjectId: string,
    connectorKey: string,
    stream: string,
    numbers: readonly number[],
  ): Promise<Map<number, ReceiptRecord>> {
    const table = streamTable(this.#records, subjectId, connectorKey, stream)
    if (!table) return new Map()
    const list = JSON.stringify(numbers)
    const sql = `select x.number, x.key, f.connection_id from (
        select id number, key, feed from ${table.table} where id in (select value from json_each(@list))
        union all select g.number, g.key, g.feed from tombstone g join feed f using (feed)
          where f.stream_no = @streamNo and g.number in (select value from json_each(@list))
      ) x join feed f using (feed) where f.erased = 0`
    const rows = this.#records.all<{ number: number; key: string; connection_id: string }>(sql, {
      list,
      streamNo: table.streamNo,
    })
    return new Map(rows.map((row) => [row.number, { connectionId: row.connection_id, key: row.key }]))
  }

  async numbersOf(
    subjectId: string,
    connectorKey: string,
    stream: string,
    key: string,
    connectionId?: string,
  ): Promise<number[]> {
    const table = streamTable(this.#records, subjectId, connectorKey, stream)
    if (!table) return []
    const sql = `select x.number from feed f join (
        select id number, key, feed from ${table.table} union all select number, key, feed from tombstone where number > 0
      ) x on x.feed = f.feed and x.key = @key
      where f.stream_no = @streamNo and f.erased = 0 and (@connectionId is null or f.connection_id = @connectionId)`
    const rows = this.#records.all<{ number: number }>(sql, {
      key,
      streamNo: table.streamNo,
      connectionId: connectionId ?? null,
    })
    return [...new Set(rows.map((row) => row.number))]
  }

  async lastUsed(subjectId: string, grantIds: readonly string[]): Promise<Map<string, number>> {
    const newest = 'select at from receipt where subject_id = ? and grant_id = ? order by sequence desc limit 1'
    const dropped = 'select at from last_use where subject_id = ? and grant_id = ?'
    const times = grantIds.flatMap((id) => {
      const row =
        this.#db.get<{ at: number }>(newest, subjectId, id) ?? this.#db.get<{ at: number }>(dropped, subjectId, id)
      return row ? [[id, row.at] as const] : []
    })
    return new Map(times)
  }

  async prune(subjectId: string, before: number): Promise<number> {
    return this.#db.transaction(() => {
      const last = this.#db.get<ReceiptRow>(
        'select * from receipt where subject_id = ? and at < ? order by sequence desc limit 1',
        subjectId,
        before,
      )
      if (!last) return 0
      const sql =
        'insert into anchor values (?, ?, ?) on conflict (subject_id) do update set sequence = excluded.sequence, hash = excluded.hash'
      this.#db.run(sql, subjectId, last.sequence, last.hash)
      const remember = `insert into last_use select subject_id, grant_id, max(at) from receipt
        where subject_id = ? and sequence <= ? and grant_id is not null group by grant_id
        on conflict (subject_id, grant_id) do update set at = max(at, excluded.at)`
      this.#db.run(remember, subjectId, last.sequence)
      return this.#db.run('delete from receipt where subject_id = ? and sequence <= ?', subjectId, last.sequence)
    })
  }

  async verify(
    subjectId: string,
    { after, limit = -1 }: { after?: ChainPosition | undefined; limit?: number } = {},
  ): Promise<ChainCheck> {
    const anchor = this.#anchorOf(subjectId)
    // What retention has dropped meanwhile stands in the anchor.
    const from = after && after.sequence >= (anchor?.sequence ?? 0) ? after : anchor
    let previous: Uint8Array = from ? Buffer.from(from.hash, 'hex') : GENESIS
    let reached = from
    let checked = 0
    const sql = 'select * from receipt where subject_id = ? and sequence > ? order by sequence limit ?'
    const rows = this.#db
      .prepare(sql)
      .iterate(subjectId, from === after ? (from?.sequence ?? 0) : 0, limit) as Iterable<ReceiptRow>
    for (const row of rows) {
      const expected = this.#expectedHash(previous, row)
      if (!expected?.equals(row.hash)) return { checked, brokenAt: row.sequence, reached }
      previous = row.hash
      reached = { sequence: row.sequence, hash: expected.toString('hex') }
      checked++
    }
    return { checked, brokenAt: undefined, reached }
  }

  async tally(
    subjectId: string,
    { since, until, limit }: { since: number; until?: number; limit: number },
  ): Promise<ReceiptTally[]> {
    const sql = `select at / ${DAY_MS} day, client, stream, count(*) n, sum(outcome = @ok) shown, sum(outcome = @ok and continues = 0) ok
      from receipt indexed by receipt_tally
      where subject_id = @subjectId and at >= @since and at < @until group by 1, client, stream order by 1 desc, n desc limit @limit`
    const rows = this.#db.all<TallyRow>(sql, {
      subjectId,
      since,
      until: until ?? Number.MAX_SAFE_INTEGER,
      ok: this.#textIds.find('ok') ?? -1,
      limit,
    })
    const text = (id: number | null) => (id === null ? undefined : this.#textIds.text(id))
    return rows.map(({ day, client, stream, n, ok, shown }) => ({
      day: day * DAY_MS,
      clientId: text(client),
      stream: text(stream),
      reads: ok,
      refused: n - shown,
      shown,
    }))
  }

  async firstOf(subjectId: string, grantIds: readonly string[]): Promise<Map<string, number>> {
    const sql = `select sequence from receipt where subject_id = @subjectId and grant_id = @id and outcome = @ok
      and not exists (select 1 from last_use where subject_id = @subjectId and grant_id = @id) order by sequence limit 1`
    const found = grantIds.flatMap((id) => {
      const row = this.#db.get<{ sequence: number }>(sql, { subjectId, id, ok: this.#textIds.find('ok') ?? -1 })
      return row ? [[id, row.sequence] as const] : []
    })
    return new Map(found)
  }

  async around(subjectId: string, clientId: string, sequence: number, most: number): Promise<ReceiptMoment[]> {
    const client = this.#textIds.find(clientId)
    if (client === undefined) return []
    const side = (than: string, order: string) =>
      this.#db.all<ReceiptMoment>(
        `select sequence, at from receipt indexed by receipt_client
          where subject_id = ? and client = ? and continues = 0 and sequence ${than} ? order by sequence ${order} limit ?`,
        subjectId,
        client,
        sequence,
        most + 1,
      )
    return [...side('<=', 'desc').reverse(), ...side('>', 'asc').slice(0, most)]
  }

  #commit(): void {
    const batch = this.#waiting
    this.#waiting = []
    try {
      this.#db.transaction(() => {
        for (const { receipt } of batch) this.#insert(receipt)
      })
    } catch (error) {
      this.#textIds.forget()
      this.#lastHash.clear()
      this.#reach.clear()
      for (const { failed } of batch) failed(error)
      return
    }
    this.#noting ??= setTimeout(() => this.#noteChainEnd(), NOTE_EVERY_MS).unref()
    for (const { done } of batch) done()
  }

  #insert(receipt: Receipt): void {
    const previous = this.#lastHash.get(receipt.subjectId) ?? this.#storedHash(receipt.subjectId)
    const hash = receiptHash(previous, receipt)
    // Also where all of them were dropped, a number is never given twice.
    const sql = `insert into receipt (sequence, subject_id, at, client, grant_id, surface, operation, connector, stream, connections, fields,
      records, first_record, last_record, bytes, outcome, request_id, hash, continues) values (
      1 + max(coalesce((select max(sequence) from receipt), 0), coalesce((select max(sequence) from anchor), 0)), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
    const { lastInsertRowid } = this.#db.prepare(sql).run(...toValues(receipt, this.#textIds, hash))
    this.#lastHash.set(receipt.subjectId, hash)
    this.#reach.set(receipt.subjectId, { sequence: Number(lastInsertRowid), hash: hash.toString('hex') })
  }

  #noteChainEnd(): void {
    this.#noting = undefined
    if (this.#reach.size === 0) return
    try {
      noteChainEnd(this.#main, this.#db, this.#reach)
      this.#reach.clear()
    } catch {
      // The main file is busy, or the disk is full: the next receipt brings the next try.
    }
  }

  /** Undefined where the words that a receipt stands on are gone: then it is no receipt of ours. */
  #expectedHash(previous: Uint8Array, row: ReceiptRow): Buffer | undefined {
    try {
      return receiptHash(previous, fromRow(row, this.#textIds))
    } catch (error) {
      if (error instanceof SyntaxError) return
      throw error
    }
  }

  #storedHash(subjectId: string): Buffer {
    const sql = 'select hash from receipt where subject_id = ? order by sequence desc limit 1'
    return (
      this.#db.get<{ hash: Buffer }>(sql, subjectId)?.hash ??
      Buffer.from(this.#anchorOf(subjectId)?.hash ?? GENESIS.toString('hex'), 'hex')
    )
  }

  #anchorOf(subjectId: string): ChainPosition | undefined {
    const sql = 'select sequence, hash from anchor where subject_id = ?'
    const row = this.#db.get<{ sequence: number; hash: Buffer }>(sql, subjectId)
    return row && { sequence: row.sequence, hash: Buffer.from(row.hash).toString('hex') }
  }

  /** Undefined when a name was never written: nothing can match it. */
  #conditions(subjectId: string, query: ReceiptQuery): { sql: string; values: unknown[] } | undefined {
    const parts: [string, unknown][] = [[isWalked(query) ? '+subject_id = ?' : 'subject_id = ?', subjectId]]
    for (const [column, text] of [
      ['client', query.clientId],
      ['stream', query.stream ?? query.record?.stream],
      ['connector', query.record?.connectorKey],
    ] as const) {
      if (text === undefined) continue
      const id = this.#textIds.find(text)
      if (id === undefined) return
      parts.push([`${column} = ?`, id])
    }
    if (query.grantId !== undefined) parts.push(['grant_id = ?', query.grantId])
    if (query.outcome !== undefined)
      parts.push([query.outcome === 'ok' ? 'outcome = ?' : 'outcome <> ?', this.#textIds.find('ok') ?? -1])
    if (query.since !== undefined) parts.push(['at >= ?', query.since])
    if (query.until !== undefined) parts.push(['at < ?', query.until])
    if (query.before !== undefined) parts.push(['sequence < ?', query.before])
    if (query.record)
      parts.push(
        ['last_record >= ?', Math.min(...query.record.numbers)],
        ['first_record <= ?', Math.max(...query.record.numbers)],
      )
    return { sql: parts.map(([sql]) => sql).join(' and '), values: parts.map(([, value]) => value) }
  }
}

/**
 * Where no index has the order of sequences, the newest are found first by walking back; an index on the owner or on
 * the time would make SQLite sort everything. Only a short stretch of time is worth that.
 */
function isWalked({ clientId, grantId, stream, record, since, until }: ReceiptQuery): boolean {
  if (clientId !== undefined || grantId !== undefined || stream !== undefined || record) return false
  return since === undefined || until === undefined || until - since > SORTED_MS
}
