import type { IndexState, StoredFile, UpkeepStore } from '../../../upkeep/upkeep-store.ts'
import { renewedSpec } from '../../words/edition.ts'
import type { Database } from '../engine/database.ts'
import type { Owners } from '../installation/owners.ts'
import { createEdition, dropEdition } from '../words/edition.ts'
import type { EditionBuilder } from '../words/edition-builder.ts'
import type { WordMerger } from '../words/merging/word-merger.ts'

const PARTS = {
  records: ['record', 'change', 'tombstone'],
  words: ['word_segment', 'word_part', 'word_dead'],
  blobs: ['blob_chunk', 'blob_reference', 'blob'],
  receipts: ['receipt'],
}

export class PostgresUpkeepStore implements UpkeepStore {
  readonly #database: Database
  readonly #owners: Owners
  readonly #builder: EditionBuilder
  readonly #merger: WordMerger

  constructor(database: Database, owners: Owners, builder: EditionBuilder, merger: WordMerger) {
    this.#database = database
    this.#owners = owners
    this.#builder = builder
    this.#merger = merger
  }

  async indexState(subjectId: string): Promise<IndexState> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return { feeds: 0, building: 0, waiting: 0 }
    const sql = `select count(*) feeds, count(e.through) building, coalesce(sum((select count(*) from record r
        where r.subject = e.subject and r.feed = e.feed and r.id > e.through)), 0)::bigint waiting
      from word_edition e join feed f using (subject, feed) where e.subject = ? and f.erased = 0`
    return (await this.#database.get<IndexState>(sql, subject))!
  }

  async rebuildIndexes(subjectId: string): Promise<void> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    const sql = `select e.feed, e.spec from word_edition e join feed f using (subject, feed)
      where e.subject = ? and f.erased = 0`
    for (const { feed, spec } of await this.#database.all<{ feed: number; spec: string }>(sql, subject)) {
      await this.#database.quiet(async (session) => {
        await session.run('select 1 from feed where subject = ? and feed = ? for update', subject, feed)
        await dropEdition(session, subject, feed)
        await createEdition(session, subject, { feed, isEmpty: false }, renewedSpec(spec))
      })
    }
    await this.#builder.run(subject)
    await this.#merger.cleanUp(subject)
  }

  /** The sizes of the tables of all owners, because PostgreSQL cannot tell how much the rows of one owner take. */
  async files(): Promise<StoredFile[]> {
    const files: StoredFile[] = []
    for (const [name, tables] of Object.entries(PARTS)) {
      const sql = 'select sum(pg_total_relation_size(t::regclass))::bigint from unnest(?::text[]) t'
      files.push({ name, bytes: (await this.#database.column<number>(sql, tables))[0]! })
    }
    return files.sort((a, b) => b.bytes - a.bytes)
  }
}
