// Ranks all records by reading every text. The bench compares this ranking with the search, which reads only its index.
import { join } from 'node:path'
import { parseInstant } from '@pdpp/protocol'
import Database from 'better-sqlite3'
import { parseQuery, soughtWords } from '../../packages/server/src/search/query/query.ts'
import { formsOf } from '../../packages/server/src/search/ranking/forms/word-forms.ts'
import { type OracleDocument, oracleRank } from '../../packages/server/src/search/ranking/oracle.fixture.ts'
import type { BenchRecord } from '../data/generator.ts'
import { SEARCHED } from '../data/source.ts'

const TOP = 25
/** The declaration names no title, but the search recognises `subject` as one by its name. */
const ROLES = { author: 'actor', subject: 'title', body: undefined } as const

export interface Exhaustive {
  /** Names of the best records, in order. */
  rank(text: string): string[]
}

/** Reads the product's records directly from its file. */
export function openExhaustive(dataDir: string): Exhaustive {
  const db = new Database(join(dataDir, 'pdpp.db'), { readonly: true })
  const sql = 'select feed, stream_no, name from feed join stream using (stream_no) where erased = 0'
  const feeds = db.prepare(sql).all() as { feed: number; stream_no: number; name: string }[]
  const names = new Map(feeds.map(({ feed, name }) => [feed, name]))
  const documents = feeds.flatMap(({ feed, stream_no: no, name }) =>
    (db.prepare(`select id, data from r${no} where feed = ?`).all(feed) as { id: number; data: string }[]).map(
      ({ id, data }): OracleDocument => {
        const record = JSON.parse(data) as BenchRecord
        const fields = SEARCHED.map((field) => ({
          ...{ name: `${name}/${field}`, text: record[field], role: ROLES[field] },
        }))
        const time = parseInstant(record.sent_at) ?? Number.NEGATIVE_INFINITY
        return { feed, number: id, time, group: record.thread_id, fields }
      },
    ),
  )
  db.close()
  return {
    rank: (text) => {
      const query = parseQuery(text, SEARCHED)
      const demanded = [...query.phrases, ...query.fieldTerms]
      const { order } = oracleRank(
        documents,
        { words: soughtWords(query), demanded, excluded: query.exclusions, times: query.times },
        undefined,
        (word, term) => formsOf(word, true, () => [term]).find((form) => form.term === term)?.closeness ?? 0,
      )
      return order.slice(0, TOP).map((name) => {
        const [feed, number] = name.split('/').map(Number)
        return `${names.get(feed!)}/${number}`
      })
    },
  }
}

/** Counts the queries whose first 25 hits are the same as in the exhaustive ranking, in the same order. */
export function measureAgreement(
  search: (text: string) => string[],
  exhaustive: Exhaustive,
  texts: readonly string[],
): { equal: number; queries: number } {
  const equal = texts.filter((text) => search(text).slice(0, TOP).join() === exhaustive.rank(text).join()).length
  return { equal, queries: texts.length }
}
