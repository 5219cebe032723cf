// What somebody would write by hand who needs no grants, no history and no checks: the same columns, indexes and
// pragmas as the product's store, in a file of its own. Extend it whenever the product's tables gain an index.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseInstant } from '@pdpp/protocol'
import Database from 'better-sqlite3'
import type { BenchFeed, BenchRecord } from './generator.ts'

export interface RawRow {
  readonly id: number
  readonly feed: number
  readonly key: string
  readonly emitted_at: number
  readonly data: string
}

const COLUMNS = 'r.id, r.feed, r.key, r.emitted_at, r.touched, r.extra, r.data'

export class Baseline {
  readonly #writer: Database.Database
  readonly #reader: Database.Database
  readonly #withChanges: boolean
  readonly #numbers = new Map<string, number>()
  readonly #versions = new Map<number, number>()
  readonly #statements = new Map<string, Database.Statement>()

  constructor(directory: string, streams: readonly string[], withChanges: boolean) {
    mkdirSync(directory, { recursive: true })
    this.#withChanges = withChanges
    this.#writer = new Database(join(directory, 'baseline.db'))
    this.#writer.pragma('journal_mode = WAL')
    this.#writer.pragma('synchronous = NORMAL')
    this.#writer.pragma('cache_size = -32768')
    for (const stream of streams) this.#writer.exec(tableSql(stream))
    this.#writer.exec(CHANGES_SQL)
    this.#reader = new Database(join(directory, 'baseline.db'), { readonly: true })
    this.#reader.pragma('cache_size = -65536')
  }

  /** One transaction. `json` is the record's text, made before the clock runs where parsing is left out. */
  insert(feed: BenchFeed, rows: readonly { data: BenchRecord; json: string; emittedAt: number }[]): void {
    const insert = this.#writes(
      `insert into ${feed.stream} (id, feed, key, emitted_at, extra, data, sent_at, author, channel, amount_cents, flagged)
       values (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)`,
    )
    const change = this.#writes('insert into change values (?, ?, 0, ?, 1152921504606846975, ?, 0)')
    this.#writer.transaction(() => {
      let number = this.#numbers.get(feed.stream) ?? 0
      let version = this.#versions.get(feed.index) ?? 0
      for (const { data, json, emittedAt } of rows) {
        const [sentAt, flagged] = [parseInstant(data.sent_at), data.flagged ? 1 : 0]
        const { author, channel, amount_cents: cents } = data
        insert.run(++number, feed.index, data.id, emittedAt, json, sentAt, author, channel, cents, flagged)
        version++
        if (this.#withChanges) change.run(feed.index, version, number, emittedAt)
      }
      this.#numbers.set(feed.stream, number)
      this.#versions.set(feed.index, version)
    })()
  }

  versionOf(feed: BenchFeed): number {
    return this.#versions.get(feed.index) ?? 0
  }

  /** A page in the order of a column, largest first. One feed needs no more than its index; several are merged. */
  page(stream: string, column: string, feeds: readonly number[], limit: number, where = '1', ...values: unknown[]) {
    const filtered = /^r\.(\w+) = /.exec(where)?.[1] // an equality has the cursor's column behind it in its own index
    const index = `${stream} r indexed by ${stream}_${filtered ?? column}`
    const order = `order by r.${column} desc, r.id desc limit ?`
    const sql =
      feeds.length === 1
        ? `select ${COLUMNS} from ${index} where r.feed = ? and r.${column} is not null and ${where} ${order}`
        : `select ${COLUMNS}, x.position from (select r.id, r.${column} position from ${index}
             where r.feed in (select value from json_each(?)) and r.${column} is not null and ${where} ${order}) x
           join ${stream} r on r.id = x.id order by x.position desc, x.id desc`
    const chosen = feeds.length === 1 ? feeds[0] : JSON.stringify(feeds)
    return this.#reads(sql).all(chosen, ...values, limit) as RawRow[]
  }

  positionAt(stream: string, feeds: readonly number[], depth: number): { value: number; number: number } {
    return this.#reader
      .prepare(
        `select sent_at value, id number from ${stream} indexed by ${stream}_sent_at
         where feed in (select value from json_each(?)) order by sent_at desc, id desc limit 1 offset ?`,
      )
      .get(JSON.stringify(feeds), depth) as { value: number; number: number }
  }

  find(stream: string, feeds: readonly number[], key: string): RawRow[] {
    const sql = `select ${COLUMNS} from ${stream} r where r.feed in (select value from json_each(?)) and r.key = ?`
    return this.#reads(sql).all(JSON.stringify(feeds), key) as RawRow[]
  }

  changes(stream: string, feed: number, since: number, limit: number): RawRow[] {
    return this.#reads(
      `select l.version, ${COLUMNS} from change l join ${stream} r on r.id = l.record
       where l.feed = ? and l.version > ? order by l.version limit ?`,
    ).all(feed, since, limit) as RawRow[]
  }

  /** The first and last time of a feed; its count a hand-written program would keep beside it, as the product does. */
  span(stream: string, feed: number): unknown[] {
    return ['asc', 'desc'].map((order) =>
      this.#reads(
        `select sent_at from ${stream} indexed by ${stream}_sent_at where feed = ? order by sent_at ${order} limit 1`,
      ).get(feed),
    )
  }

  textWindow(stream: string, feed: number, key: string, from: number, chars: number): unknown {
    return this.#reads(
      `select substr(data ->> 'body', ?, ?) text, length(data ->> 'body') total from ${stream} where feed = ? and key = ?`,
    ).get(from + 1, chars, feed, key)
  }

  close(): void {
    for (const db of [this.#reader, this.#writer]) db.close()
  }

  #reads = (sql: string) => this.#prepared(this.#reader, sql)
  #writes = (sql: string) => this.#prepared(this.#writer, sql)

  #prepared(db: Database.Database, sql: string): Database.Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

const tableSql = (stream: string): string => `
  create table ${stream} (
    id integer primary key, feed integer not null, key text not null, emitted_at integer not null,
    touched integer not null default 0, extra integer not null default 0, data text not null,
    sent_at integer, author text, channel text, amount_cents integer, flagged integer);
  create unique index ${stream}_key on ${stream} (feed, key);
  create index ${stream}_feed on ${stream} (feed, id);
  create index ${stream}_sent_at on ${stream} (feed, sent_at, id);
  create index ${stream}_author on ${stream} (feed, author, sent_at, id);
  create index ${stream}_channel on ${stream} (feed, channel, sent_at, id);
  create index ${stream}_amount_cents on ${stream} (feed, amount_cents, sent_at, id);`

const CHANGES_SQL = `
  create table change (
    feed integer not null, version integer not null, part integer not null, record integer not null,
    mask integer not null, emitted_at integer not null, deleted integer not null,
    primary key (feed, version, part)) without rowid;
  create index change_record on change (feed, record, version);`
