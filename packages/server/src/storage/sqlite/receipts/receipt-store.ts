import {
  type ChainCheck,
  type ChainPosition,
  MAX_REFUSED_NAMES,
  type Receipt,
  type ReceiptMoment,
  type ReceiptPage,
  type ReceiptQuery,
  type ReceiptRecord,
  type ReceiptStore,
  type ReceiptTally,
  type StoredReceipt,
} from '../../../receipts/receipt-store.ts'
import type { Databases, Handle } from '../engine/database.ts'
import { streamTable } from '../records/feeds.ts'
import { verifyChain } from './receipt-chain.ts'
import { receiptConditions } from './receipt-query.ts'
import { fromRow, type ReceiptRow, TextIds } from './receipt-row.ts'
import { ReceiptWriter, type SaveLastReceipts } from './receipt-writer.ts'

/** Max. receipts that one call reads. If a search needs more, it returns where to continue. */
const SCAN_ROWS = 20_000
/** Max. owners whose next receipt is prepared at the start. */
const MAX_READY = 4
const DAY_MS = 86_400_000

interface TallyRow {
  day: number
  client: number | null
  stream: number | null
  n: number
  ok: number
  shown: number
}

/** Whether the older row and the line after it belong to the same receipt. */
const isSameReceipt = (line: StoredReceipt, older: ReceiptRow): boolean =>
  line.continues === true && older.request_id === line.requestId && (older.grant_id ?? undefined) === line.grantId

export class SqliteReceiptStore implements ReceiptStore {
  readonly #db: Handle
  /** The main database, for the keys of records. */
  readonly #records: Handle
  readonly #textIds: TextIds
  readonly #writer: ReceiptWriter

  /** Without a pool, SQLite copies the log of the receipts itself. */
  constructor(
    databases: Pick<Databases, 'receipts' | 'reader'> & Partial<Pick<Databases, 'pool'>>,
    saveLast: SaveLastReceipts = async () => {},
  ) {
    this.#db = databases.receipts
    this.#records = databases.reader
    this.#textIds = new TextIds(this.#db)
    this.#writer = new ReceiptWriter(this.#db, this.#textIds, saveLast, async () =>
      databases.pool?.checkpoint(this.#db.db.name),
    )
  }

  append(receipt: Receipt, maxWaitMs = 0): Promise<void> {
    return this.#writer.append(receipt, maxWaitMs)
  }

  /** Reads what the first receipts of this process need. */
  makeReady(): void {
    const owners = this.#records.column<string>('select subject_id from word_owner limit ?', MAX_READY)
    for (const subjectId of owners) this.#writer.makeReady(subjectId)
  }

  close(): Promise<void> {
    return this.#writer.close()
  }

  async list(subjectId: string, query: ReceiptQuery): Promise<ReceiptPage> {
    const conditions = receiptConditions(this.#textIds, subjectId, query)
    if (!conditions) return { receipts: [], next: undefined }
    const sql = `select * from receipt where ${conditions.sql} order by sequence desc limit ?`
    const wanted = new Set(query.record?.numbers)
    const receipts: ReceiptPage['receipts'][number][] = []
    let scanned = 0
    for (const row of this.#db.prepare(sql).iterate(...conditions.values, SCAN_ROWS + 1) as Iterable<ReceiptRow>) {
      if (receipts.length >= query.limit && !isSameReceipt(receipts.at(-1)!, row))
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
    // Entries without a client are decisions of the owner about the grant.
    const newest =
      'select at from receipt where subject_id = ? and grant_id = ? and client is not null order by sequence desc limit 1'
    const dropped = 'select at from last_use where subject_id = ? and grant_id = ?'
    const times = grantIds.flatMap((id) => {
      const row =
        this.#db.get<{ at: number }>(newest, subjectId, id) ?? this.#db.get<{ at: number }>(dropped, subjectId, id)
      return row ? [[id, row.at] as const] : []
    })
    return new Map(times)
  }

  async passUse(subjectId: string, from: string, to: string): Promise<void> {
    const at = (await this.lastUsed(subjectId, [from])).get(from)
    if (at === undefined) return
    const sql = `insert into last_use (subject_id, grant_id, at) values (?, ?, ?)
      on conflict (subject_id, grant_id) do update set at = max(at, excluded.at)`
    this.#db.run(sql, subjectId, to, at)
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
        where subject_id = ? and sequence <= ? and grant_id is not null and client is not null group by grant_id
        on conflict (subject_id, grant_id) do update set at = max(at, excluded.at)`
      this.#db.run(remember, subjectId, last.sequence)
      return this.#db.run('delete from receipt where subject_id = ? and sequence <= ?', subjectId, last.sequence)
    })
  }

  async verify(
    subjectId: string,
    part: { after?: ChainPosition | undefined; limit?: number } = {},
  ): Promise<ChainCheck> {
    return verifyChain(this.#db, this.#textIds, subjectId, part)
  }

  async tally(
    subjectId: string,
    { since, until, limit }: { since: number; until?: number; limit: number },
  ): Promise<ReceiptTally[]> {
    // An agent can be refused under any number of names. They must not push reads beyond the limit.
    const sql = `with named as (
        select at / ${DAY_MS} day, client, stream, count(*) lines, sum(outcome = @ok) disclosed, sum(outcome = @ok and continues = 0) first
        from receipt indexed by receipt_tally
        where subject_id = @subjectId and at >= @since and at < @until group by 1, client, stream),
      placed as (select *, row_number() over (partition by day, client, disclosed > 0 order by lines desc) place from named)
      select day, client, iif(disclosed > 0 or place <= ${MAX_REFUSED_NAMES}, stream, null) stream, sum(lines) n, sum(disclosed) shown, sum(first) ok
      from placed group by 1, 2, 3 order by day desc, shown > 0 desc, n desc limit @limit`
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
    const sql = `select sequence from receipt where subject_id = @subjectId and grant_id = @id and outcome = @ok and client is not null
      and not exists (select 1 from last_use where subject_id = @subjectId and grant_id = @id) order by sequence limit 1`
    const found = grantIds.flatMap((id) => {
      const row = this.#db.get<{ sequence: number }>(sql, { subjectId, id, ok: this.#textIds.find('ok') ?? -1 })
      return row ? [[id, row.sequence] as const] : []
    })
    return new Map(found)
  }

  async around(subjectId: string, clientId: string, sequence: number, maxPerSide: number): Promise<ReceiptMoment[]> {
    const client = this.#textIds.find(clientId)
    if (client === undefined) return []
    const side = (than: string, order: string) =>
      this.#db.all<ReceiptMoment>(
        `select sequence, at from receipt indexed by receipt_client
          where subject_id = ? and client = ? and continues = 0 and sequence ${than} ? order by sequence ${order} limit ?`,
        subjectId,
        client,
        sequence,
        maxPerSide + 1,
      )
    return [...side('<=', 'desc').reverse(), ...side('>', 'asc').slice(0, maxPerSide)]
  }
}
