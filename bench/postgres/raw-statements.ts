// Hand-written SQL. It reads from the tables of the store and inserts into a table of its own.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { parse } from '../data/ndjson.ts'
import { BIG_STREAM } from '../data/source.ts'

const TABLE = `create table raw_record (feed int not null, id bigint not null, key text collate "C" not null, data text not null,
  sent_at bigint, amount bigint, channel text collate "C", author text collate "C", primary key (feed, id));
  create unique index raw_key on raw_record (feed, key);
  create index raw_sent on raw_record (feed, sent_at, id); create index raw_amount on raw_record (feed, amount, id);
  create index raw_channel on raw_record (feed, channel, sent_at, id);
  create index raw_author on raw_record (feed, author, sent_at, id);
  create table raw_receipt (id bigserial primary key, at bigint not null, body text not null);`

const [LOOK_MS, QUIET_LOOKS] = [250, 10]

/** One connection with prepared statements. */
export class RawStatements {
  readonly #client: pg.Client
  #feeds: number[] = []
  #next = 1

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(url: string): Promise<RawStatements> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(TABLE)
    return new RawStatements(client)
  }

  async analyze(): Promise<void> {
    await this.#client.query('analyze')
    const sql = `select f.feed::int feed from feed f join stream s using (subject, stream_no) where s.name = $1 order by 1`
    this.#feeds = (await this.#client.query<{ feed: number }>(sql, [BIG_STREAM])).rows.map(({ feed }) => feed)
  }

  /** Waits until the background merges of the word index are done. */
  async settled(): Promise<void> {
    for (let [before, same] = ['', 0]; same < QUIET_LOOKS; ) {
      const { rows } = await this.#client.query<{ epoch: string }>('select epoch::text from word_owner')
      const epoch = rows.map((row) => row.epoch).join()
      same = epoch === before ? same + 1 : 0
      before = epoch
      await pause(LOOK_MS)
    }
  }

  async insert(feed: number, block: Buffer): Promise<void> {
    const rows = parse(block)
    const lists = [
      rows.map(() => this.#next++),
      rows.map(({ data }) => data.id),
      rows.map(({ json }) => json),
      rows.map(({ data }) => Date.parse(data.sent_at) * 1000),
      rows.map(({ data }) => data.amount_cents),
      rows.map(({ data }) => data.channel),
      rows.map(({ data }) => data.author),
    ]
    const text = `insert into raw_record select $1::int, * from
      unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[])`
    await this.#client.query({ name: 'insert', text, values: [feed, ...lists] })
  }

  /** The newest rows of all feeds. */
  async page(rows: number): Promise<string[]> {
    const text = `select r.data from (select f.feed, a.id, a.i0 from unnest($1::bigint[]) f(feed) cross join lateral
        (select r.id, r.i0 from record r where r.subject = 1 and r.feed = f.feed and r.i0 is not null
          order by r.i0 desc, r.id desc limit ${rows}) a
        order by a.i0 desc, a.id desc limit ${rows}) x
      join record r on r.subject = 1 and r.feed = x.feed and r.id = x.id order by x.i0 desc, x.id desc`
    const found = await this.#client.query<{ data: string }>({ name: `page${rows}`, text, values: [this.#feeds] })
    if (found.rows.length !== rows) throw new Error(`The page has ${found.rows.length} rows.`)
    return found.rows.map(({ data }) => data)
  }

  async record(key: string): Promise<string> {
    const text = 'select data from record where subject = 1 and feed = any($1::bigint[]) and key = $2'
    const { rows } = await this.#client.query<{ data: string }>({ name: 'record', text, values: [this.#feeds, key] })
    if (rows.length !== 1) throw new Error(`There are ${rows.length} records.`)
    return rows[0]!.data
  }

  async token(hash: Uint8Array): Promise<void> {
    const text = 'select t.*, g.body from token t left join access_grant g using (subject, grant_id) where t.hash = $1'
    const { rows } = await this.#client.query({ name: 'token', text, values: [hash] })
    if (rows.length !== 1) throw new Error('There is no such token.')
  }

  async receipt(): Promise<void> {
    const text = 'insert into raw_receipt (at, body) values ($1, $2)'
    await this.#client.query({ name: 'receipt', text, values: [Date.now(), 'x'.repeat(300)] })
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}
