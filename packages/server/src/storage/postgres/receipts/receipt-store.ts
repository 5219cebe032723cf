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
import type { Database } from '../engine/database.ts'
import type { Owners } from '../installation/owners.ts'
import type { Streams } from '../records/feeds.ts'
import { verifyChain } from './receipt-chain.ts'
import { receiptConditions } from './receipt-query.ts'
import { fromRow, type ReceiptRow } from './receipt-row.ts'
import { ReceiptWriter } from './receipt-writer.ts'

/** Max. receipts that one call reads. If a search needs more, it returns where to continue. */
const SCAN_ROWS = 20_000
const ROWS_AT_ONCE = 500
const DAY_MS = 86_400_000

/** Whether the older row and the line after it belong to the same receipt. */
const isSameReceipt = (line: StoredReceipt, older: ReceiptRow): boolean =>
  line.continues === true && older.request_id === line.requestId && (older.grant_id ?? undefined) === line.grantId

export class PostgresReceiptStore implements ReceiptStore {
  readonly #database: Database
  readonly #owners: Owners
  readonly #streams: Streams
  readonly #writer: ReceiptWriter

  constructor(database: Database, owners: Owners, streams: Streams) {
    this.#database = database
    this.#owners = owners
    this.#streams = streams
    this.#writer = new ReceiptWriter(database, owners)
  }

  append(receipt: Receipt): Promise<void> {
    return this.#writer.append(receipt)
  }

  close(): Promise<void> {
    return this.#writer.close()
  }

  async list(subjectId: string, query: ReceiptQuery): Promise<ReceiptPage> {
    const receipts: StoredReceipt[] = []
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return { receipts, next: undefined }
    const wanted = new Set(query.record?.numbers)
    let { before } = query
    for (let scanned = 0; ; ) {
      const conditions = receiptConditions(subject, { ...query, before })
      const sql = `select * from receipt where ${conditions.sql} order by sequence desc limit ?`
      const rows = await this.#database.all<ReceiptRow>(sql, ...conditions.values, ROWS_AT_ONCE)
      for (const row of rows) {
        if (receipts.length >= query.limit && !isSameReceipt(receipts.at(-1)!, row))
          return { receipts, next: receipts.at(-1)!.sequence }
        if (++scanned > SCAN_ROWS) return { receipts, next: row.sequence + 1 }
        const receipt = fromRow(row, subjectId)
        if (!query.record || receipt.records.some((number) => wanted.has(number))) receipts.push(receipt)
      }
      if (rows.length < ROWS_AT_ONCE) return { receipts, next: undefined }
      before = rows.at(-1)!.sequence
    }
  }

  async resolve(
    subjectId: string,
    connectorKey: string,
    stream: string,
    numbers: readonly number[],
  ): Promise<Map<number, ReceiptRecord>> {
    const found = await this.#stream(subjectId, connectorKey, stream)
    if (!found) return new Map()
    const sql = `select x.number, x.key, f.connection_id from feed f join lateral (
        select r.id number, r.key from record r
          where r.subject = f.subject and r.feed = f.feed and r.id = any(@numbers::bigint[])
        union all select g.number, g.key from tombstone g
          where g.subject = f.subject and g.feed = f.feed and g.number = any(@numbers::bigint[])
      ) x on true where f.subject = @subject and f.stream_no = @streamNo and f.erased = 0`
    const values = { numbers, subject: found.subject, streamNo: found.streamNo }
    const rows = await this.#database.all<{ number: number; key: string; connection_id: string }>(sql, values)
    return new Map(rows.map((row) => [row.number, { connectionId: row.connection_id, key: row.key }]))
  }

  async numbersOf(
    subjectId: string,
    connectorKey: string,
    stream: string,
    key: string,
    connectionId?: string,
  ): Promise<number[]> {
    const found = await this.#stream(subjectId, connectorKey, stream)
    if (!found) return []
    const sql = `select distinct x.number from feed f join lateral (
        select r.id number from record r where r.subject = f.subject and r.feed = f.feed and r.key = @key
        union all select g.number from tombstone g
          where g.subject = f.subject and g.feed = f.feed and g.key = @key and g.number > 0
      ) x on true where f.subject = @subject and f.stream_no = @streamNo and f.erased = 0
        and (@connectionId::text is null or f.connection_id = @connectionId)`
    const { subject, streamNo } = found
    return this.#database.column<number>(sql, { key, subject, streamNo, connectionId: connectionId ?? null })
  }

  async lastUsed(subjectId: string, grantIds: readonly string[]): Promise<Map<string, number>> {
    // Entries without a client are decisions of the owner about the grant.
    const sql = `select g.id, coalesce(
        (select r.at from receipt r where r.subject = @subject and r.grant_id = g.id and r.client is not null
          order by r.sequence desc limit 1),
        (select l.at from last_use l where l.subject = @subject and l.grant_id = g.id)) "at"
      from unnest(@grantIds::text[]) g(id)`
    return this.#byGrant(subjectId, grantIds, sql)
  }

  async passUse(subjectId: string, from: string, to: string): Promise<void> {
    const at = (await this.lastUsed(subjectId, [from])).get(from)
    if (at === undefined) return
    const sql = `insert into last_use (subject, grant_id, at) values (?, ?, ?)
      on conflict (subject, grant_id) do update set at = greatest(last_use.at, excluded.at)`
    await this.#database.write(sql, await this.#owners.require(subjectId), to, at)
  }

  async prune(subjectId: string, before: number): Promise<number> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return 0
    return this.#database.quiet(async (session) => {
      const find = 'select sequence, hash from receipt where subject = ? and at < ? order by sequence desc limit 1'
      const last = await session.get<{ sequence: number; hash: Uint8Array }>(find, subject, before)
      if (!last) return 0
      const anchor = `insert into anchor values (?, ?, ?)
        on conflict (subject) do update set sequence = excluded.sequence, hash = excluded.hash`
      await session.run(anchor, subject, last.sequence, last.hash)
      const remember = `insert into last_use select subject, grant_id, max(at) from receipt
        where subject = ? and sequence <= ? and grant_id is not null and client is not null group by subject, grant_id
        on conflict (subject, grant_id) do update set at = greatest(last_use.at, excluded.at)`
      await session.run(remember, subject, last.sequence)
      return session.run('delete from receipt where subject = ? and sequence <= ?', subject, last.sequence)
    })
  }

  async verify(
    subjectId: string,
    part: { after?: ChainPosition | undefined; limit?: number } = {},
  ): Promise<ChainCheck> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return { checked: 0, brokenAt: undefined, reached: undefined }
    return this.#database.snapshot((session) => verifyChain(session, { subject, subjectId }, part))
  }

  async tally(
    subjectId: string,
    { since, until, limit }: { since: number; until?: number; limit: number },
  ): Promise<ReceiptTally[]> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return []
    // An agent can be refused under any number of names. They must not push reads beyond the limit.
    const sql = `with named as (
        select at / ${DAY_MS} * ${DAY_MS} "day", client, stream, count(*) lines,
          count(*) filter (where outcome = 'ok' and continues = 0) reads,
          count(*) filter (where outcome = 'ok') shown
        from receipt where subject = ? and at >= ? and at < ? group by 1, 2, 3),
      placed as (select *, row_number() over (partition by "day", client, shown > 0 order by lines desc) place from named)
      select "day", client "clientId", case when shown > 0 or place <= ${MAX_REFUSED_NAMES} then stream end stream,
        sum(reads)::bigint reads, sum(lines - shown)::bigint refused, sum(shown)::bigint shown
      from placed group by 1, 2, 3 order by 1 desc, sum(shown) > 0 desc, sum(lines) desc limit ?`
    const values = [subject, since, until ?? Number.MAX_SAFE_INTEGER, limit]
    const rows = await this.#database.all<ReceiptTally & { clientId: string | null; stream: string | null }>(
      sql,
      ...values,
    )
    return rows.map((row) => ({ ...row, clientId: row.clientId ?? undefined, stream: row.stream ?? undefined }))
  }

  async firstOf(subjectId: string, grantIds: readonly string[]): Promise<Map<string, number>> {
    const sql = `select g.id, (select r.sequence from receipt r where r.subject = @subject and r.grant_id = g.id
        and r.outcome = 'ok' and r.client is not null and not exists (select 1 from last_use l where l.subject = @subject and l.grant_id = g.id)
        order by r.sequence limit 1) "at" from unnest(@grantIds::text[]) g(id)`
    return this.#byGrant(subjectId, grantIds, sql)
  }

  async around(subjectId: string, clientId: string, sequence: number, maxPerSide: number): Promise<ReceiptMoment[]> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return []
    const side = (than: string, order: string) =>
      this.#database.all<ReceiptMoment>(
        `select sequence, at from receipt where subject = ? and client = ? and continues = 0 and sequence ${than} ?
          order by sequence ${order} limit ?`,
        ...[subject, clientId, sequence, maxPerSide + 1],
      )
    return [...(await side('<=', 'desc')).reverse(), ...(await side('>', 'asc')).slice(0, maxPerSide)]
  }

  async #byGrant(subjectId: string, grantIds: readonly string[], sql: string): Promise<Map<string, number>> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return new Map()
    const rows = await this.#database.all<{ id: string; at: number | null }>(sql, { subject, grantIds })
    return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])))
  }

  async #stream(subjectId: string, connectorKey: string, stream: string) {
    const subject = await this.#owners.find(subjectId)
    return subject === undefined ? undefined : this.#streams.find(this.#database, subject, connectorKey, stream)
  }
}
