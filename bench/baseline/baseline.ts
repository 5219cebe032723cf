// A hand-written store without grants, history or checks, to compare the product with. It has the same columns, indexes
// and pragmas as the product's store, in a file of its own.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseInstant } from '@pdpp/protocol'
import Database from 'better-sqlite3'
import type { BenchFeed, BenchRecord } from '../data/generator.ts'
import { CHANGES_SQL, tableSql, WORDS_SQL } from './baseline-schema.ts'

export interface RawRow {
  readonly key: string
  readonly data: string
}

const COLUMNS = 'r.id, r.feed, r.key, r.emitted_at, r.touched, r.extra, r.data'

export class Baseline {
  readonly #writer: Database.Database
  readonly #reader: Database.Database
  readonly #withWords: boolean
  #number = 0
  readonly #versions = new Map<number, number>()
  readonly #statements = new Map<string, Database.Statement>()

  constructor(directory: string, streams: readonly string[], withWords: boolean) {
    mkdirSync(directory, { recursive: true })
    this.#withWords = withWords
    this.#writer = new Database(join(directory, 'baseline.db'))
    for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL', 'cache_size = -32768'])
      this.#writer.pragma(pragma)
    for (const stream of streams) this.#writer.exec(tableSql(stream))
    this.#writer.exec(CHANGES_SQL)
    if (withWords) this.#writer.exec(WORDS_SQL)
    this.#reader = new Database(join(directory, 'baseline.db'), { readonly: true })
    this.#reader.pragma('cache_size = -65536')
  }

  /** Inserts all rows in one transaction. */
  insert(feed: BenchFeed, rows: readonly { data: BenchRecord; json: string; emittedAt: number }[]): void {
    const insert = this.#writes(
      `insert into ${feed.stream} (id, feed, key, emitted_at, extra, data, sent_at, author, channel, amount_cents, flagged)
       values (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)`,
    )
    const words = this.#withWords
      ? this.#writes('insert into words (rowid, subject, body, author) values (?, ?, ?, ?)')
      : undefined
    this.#writer.transaction(() => {
      for (const { data, json, emittedAt } of rows) {
        const [sentAt, flagged] = [parseInstant(data.sent_at), data.flagged ? 1 : 0]
        const { author, channel, amount_cents: cents } = data
        insert.run(++this.#number, feed.index, data.id, emittedAt, json, sentAt, author, channel, cents, flagged)
        words?.run(this.#number, data.subject, data.body, author)
      }
    })()
  }

  /** Adds new rows to a change log in the product's format. This is not timed. */
  logChanges(feed: BenchFeed): void {
    const last = this.versionOf(feed)
    const { changes } = this.#writes(
      `insert into change select feed, ? + row_number() over (order by id), 0, id, 1152921504606846975, emitted_at, 0
       from ${feed.stream} r where feed = ? and not exists (select 1 from change c where c.feed = r.feed and c.record = r.id)`,
    ).run(last, feed.index)
    this.#versions.set(feed.index, last + changes)
  }

  versionOf(feed: BenchFeed): number {
    return this.#versions.get(feed.index) ?? 0
  }

  /**
   * A page over several feeds, sorted by a column with the largest value first. Statements are prepared once, as a real
   * program would do, and only their execution is timed.
   */
  page(stream: string, column: string, feeds: readonly number[], limit: number, where = '1', ...values: unknown[]) {
    const index = `${stream} r indexed by ${stream}_${column}`
    const order = `order by r.${column} desc, r.id desc limit ${limit}`
    const sql =
      feeds.length === 1
        ? `select ${COLUMNS} from ${index} where r.feed = ? and r.${column} is not null and ${where} ${order}`
        : `select ${COLUMNS}, x.position from (select r.id, r.${column} position from ${index}
             where r.feed in (select value from json_each(?)) and r.${column} is not null and ${where} ${order}) x
           join ${stream} r on r.id = x.id order by x.position desc, x.id desc`
    const chosen = feeds.length === 1 ? feeds[0] : JSON.stringify(feeds)
    const statement = this.reads(sql)
    return () => statement.all(chosen, ...values) as RawRow[]
  }

  positionAt(stream: string, feeds: readonly number[], depth: number): { value: number; number: number } {
    return this.#reader
      .prepare(
        `select sent_at value, id number from ${stream} indexed by ${stream}_sent_at
         where feed in (select value from json_each(?)) order by sent_at desc, id desc limit 1 offset ?`,
      )
      .get(JSON.stringify(feeds), depth) as { value: number; number: number }
  }

  find(stream: string, feeds: readonly number[]): (key: string) => RawRow[] {
    const sql = `select ${COLUMNS} from ${stream} r where r.feed in (select value from json_each(?)) and r.key = ?`
    const [statement, chosen] = [this.reads(sql), JSON.stringify(feeds)]
    return (key) => statement.all(chosen, key) as RawRow[]
  }

  changes(stream: string, feed: number, since: number, limit: number): () => RawRow[] {
    const statement = this.reads(
      `select l.version, ${COLUMNS} from change l join ${stream} r on r.id = l.record
       where l.feed = ? and l.version > ? order by l.version limit ?`,
    )
    return () => statement.all(feed, since, limit) as RawRow[]
  }

  /**
   * First and last time of a feed. It does not count the records, because a hand-written program would store their
   * number, as the product does.
   */
  span(stream: string, feed: number): () => unknown[] {
    const ends = ['asc', 'desc'].map((order) =>
      this.reads(
        `select sent_at from ${stream} indexed by ${stream}_sent_at where feed = ? order by sent_at ${order} limit 1`,
      ),
    )
    return () => ends.map((statement) => statement.get(feed))
  }

  textWindow(stream: string, feed: number, key: string, from: number, chars: number): () => unknown {
    const statement = this.reads(
      `select substr(data ->> 'body', ?, ?) text, length(data ->> 'body') total from ${stream} where feed = ? and key = ?`,
    )
    return () => statement.get(from + 1, chars, feed, key)
  }

  /** Number of records that contain each word. */
  documentFrequencies(): { term: string; doc: number }[] {
    this.#writer.exec('create virtual table if not exists temp.vocabulary using fts5vocab(main, words, row)')
    return this.#writer.prepare('select term, doc from temp.vocabulary').all() as { term: string; doc: number }[]
  }

  /** Size of the file after a checkpoint. */
  bytes(): number {
    this.#writer.pragma('wal_checkpoint(truncate)')
    return statSync(this.#writer.name).size
  }

  close(): void {
    for (const db of [this.#reader, this.#writer]) db.close()
  }

  /** Prepares a statement on the read-only connection. */
  readonly reads = (sql: string): Database.Statement => this.#prepared(this.#reader, sql)
  readonly #writes = (sql: string) => this.#prepared(this.#writer, sql)

  #prepared(db: Database.Database, sql: string): Database.Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
