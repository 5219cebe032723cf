// Ranks every matching record, to compare with search, which ranks only the candidates it picks.
import { join } from 'node:path'
import { parseInstant } from '@pdpp/protocol'
import Database from 'better-sqlite3'
import { rankDocuments } from '../../packages/server/src/search/ranking/ranking.ts'
import type { WeightedWord } from '../../packages/server/src/search/ranking/word-weight.ts'
import type { SearchOutcome } from '../../packages/server/src/search/search-store.ts'
import type { BenchRecord } from '../data/generator.ts'
import { SEARCHED } from '../data/source.ts'

const TOP = 25

export interface Exhaustive {
  /** Names of the best records, in order. */
  rank(words: readonly WeightedWord[]): string[]
  close(): void
}

/** Reads the product's index and records directly from its files. */
export function openExhaustive(dataDir: string): Exhaustive {
  const db = new Database(join(dataDir, 'pdpp.db'), { readonly: true })
  const feeds = db
    .prepare('select feed, stream_no, name from feed join stream using (stream_no) where erased = 0')
    .all() as { feed: number; stream_no: number; name: string }[]
  const rank = (words: readonly WeightedWord[]): string[] => {
    const any = words.map(({ expression }) => expression).join(' OR ')
    const documents = feeds.flatMap(({ feed, stream_no: no, name }) => {
      const sql = `select r.id, r.data from f${feed} f join r${no} r on r.id = f.rowid where f${feed} match ?`
      return (db.prepare(sql).all(any) as { id: number; data: string }[]).map(({ id, data }) => {
        const record = JSON.parse(data) as BenchRecord
        const fields = SEARCHED.map((field) => ({ key: `${name}/${field}`, text: record[field] }))
        return { name: `${name}/${id}`, fields, authoredAt: parseInstant(record.sent_at) ?? null }
      })
    })
    return rankDocuments(documents, words)
      .slice(0, TOP)
      .map(({ document }) => document.name)
  }
  return { rank, close: () => db.close() }
}

type Search = (text: string) => Promise<SearchOutcome>

export async function measureAgreement(search: Search, exhaustive: Exhaustive, texts: readonly string[]) {
  const values: number[] = []
  for (const text of texts) {
    const { found, words } = await search(text)
    const ours = found.slice(0, TOP).map(({ target, number }) => `${target.scope.stream.name}/${number}`)
    values.push(agreement(ours, exhaustive.rank(words)))
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { mean, least: Math.min(...values), queries: values.length }
}

/** nDCG@25: the first record of the exhaustive ranking is worth 25, the last 1, and all others 0. */
function agreement(ours: readonly string[], best: readonly string[]): number {
  const worth = new Map(best.map((name, place) => [name, TOP - place]))
  const gain = (names: readonly string[]) =>
    names.reduce((sum, name, place) => sum + (worth.get(name) ?? 0) / Math.log2(place + 2), 0)
  return best.length === 0 ? Number(ours.length === 0) : gain(ours) / gain(best)
}
