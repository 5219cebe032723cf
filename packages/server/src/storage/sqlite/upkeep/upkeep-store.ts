import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IndexState, StoredFile, UpkeepStore } from '../../../upkeep/upkeep-store.ts'
import { BLOB_FOLDER } from '../../blob-files.ts'
import { renewedSpec } from '../../words/edition.ts'
import type { WriteDatabases } from '../engine/database.ts'
import { tableName } from '../records/stream-table.ts'
import { createEdition, dropEdition } from '../words/edition.ts'
import { buildEditions } from '../words/edition-builder.ts'
import type { WordMerger } from '../words/merging/word-merger.ts'

const OF_SUBJECT = `word_edition i join feed f using (feed) join stream s using (stream_no)
  where s.subject_id = ? and f.erased = 0`

export class SqliteUpkeepStore implements UpkeepStore {
  readonly #databases: WriteDatabases
  readonly #directory: string
  readonly #merger: WordMerger

  constructor(databases: WriteDatabases, directory: string, merger: WordMerger) {
    this.#databases = databases
    this.#directory = directory
    this.#merger = merger
  }

  async indexState(subjectId: string): Promise<IndexState> {
    const sql = `select i.feed, i.through, f.stream_no from ${OF_SUBJECT}`
    const rows = this.#databases.reader.all<{ feed: number; through: number | null; stream_no: number }>(sql, subjectId)
    const building = rows.filter(({ through }) => through !== null)
    const waiting = building.map(({ feed, through, stream_no: streamNo }) => {
      const count = `select count(*) n from ${tableName(streamNo)} where feed = ? and id > ?`
      return this.#databases.reader.get<{ n: number }>(count, feed, through)!.n
    })
    return { feeds: rows.length, building: building.length, waiting: waiting.reduce((sum, n) => sum + n, 0) }
  }

  async rebuildIndexes(subjectId: string): Promise<void> {
    const { writer } = this.#databases
    const sql = `select i.feed, i.spec from ${OF_SUBJECT}`
    for (const { feed, spec } of writer.all<{ feed: number; spec: string }>(sql, subjectId)) {
      if (spec === '') continue
      writer.transaction(() => {
        dropEdition(writer, feed)
        createEdition(writer, { feed, subjectId, isEmpty: false }, renewedSpec(spec))
      })
      await nextTurn()
    }
    await buildEditions(writer)
    await this.#merger.cleanUp()
  }

  async files(): Promise<StoredFile[]> {
    const databases = readdirSync(this.#directory)
      .filter((name) => /\.db(-wal|-shm)?$/.test(name))
      .map((name) => ({ name, bytes: statSync(join(this.#directory, name)).size }))
    const sql = 'select count(*) n, total(size_bytes) bytes from (select distinct sha256, size_bytes from blob)'
    const { n, bytes } = this.#databases.reader.get<{ n: number; bytes: number }>(sql)!
    return [...databases, ...(n === 0 ? [] : [{ name: BLOB_FOLDER, bytes }])].sort((a, b) => b.bytes - a.bytes)
  }
}
