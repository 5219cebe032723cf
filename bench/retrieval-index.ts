// Two indexes over the same documents: ours (our terms, our candidates, our order) and what FTS5 does by itself.
import Database from 'better-sqlite3'
import { indexText } from '../packages/server/src/search/analyser.ts'
import { collectCandidates } from '../packages/server/src/search/candidates.ts'
import { feedExpression } from '../packages/server/src/search/feed-expression.ts'
import { estimateFrequency, FREQUENCY_SAMPLE } from '../packages/server/src/search/frequency.ts'
import { matchIn } from '../packages/server/src/search/match-expression.ts'
import { parseQuery } from '../packages/server/src/search/query.ts'
import { type RankableDocument, rankDocuments } from '../packages/server/src/search/ranking.ts'
import { planCandidates } from '../packages/server/src/search/tiers.ts'
import { weighWord } from '../packages/server/src/search/word-weight.ts'
import type { CorpusDocument } from './retrieval-corpora.ts'

export type Search = (question: string, limit: number) => string[]

const FIELDS = ['text', 'author', 'conversation'] as const
const COLUMNS = new Map(FIELDS.map((field, index) => [field as string, `c${index}`]))

interface Row extends RankableDocument {
  readonly id: string
}

export function ownSearch(documents: readonly CorpusDocument[]): Search {
  const db = new Database(':memory:')
  const columns = [...COLUMNS.values()]
  db.exec(`create virtual table f using fts5(${columns}, content='', contentless_delete=1, tokenize='ascii')`)
  const insert = db.prepare(`insert into f(rowid, ${columns}) values (?, ?, ?, ?)`)
  db.transaction(() => {
    for (const [index, document] of documents.entries()) {
      insert.run(index + 1, ...FIELDS.map((field) => indexText(document[field] ?? '')))
    }
  })()
  const newest = db.prepare('select rowid from f where f match ? order by rowid desc limit ?').pluck()
  const ask = (expression: string, limit: number) => newest.all(expression, limit) as number[]
  const rows = documents.map((document, index): Row => {
    const fields = FIELDS.filter((field) => document[field]).map((field) => ({ key: field, text: document[field]! }))
    return { id: document.id, fields, authoredAt: index }
  })
  const feed = { documents: documents.length, oldestId: 1, newestId: documents.length }
  const frequencies = (expression: string) => [
    estimateFrequency(ask(matchIn(columns, expression), FREQUENCY_SAMPLE), feed),
  ]
  return (question, limit) => {
    const query = parseQuery(question, FIELDS)
    const words = query.words.map((word) => weighWord(word, { documents: documents.length, frequencies }))
    const { list } = collectCandidates(planCandidates(words, null, query.compounds), (_, expression, most) => {
      const whole = feedExpression(query, expression, COLUMNS)
      return whole === null ? [] : ask(whole, most)
    })
    const ranked = rankDocuments(
      list.map(({ id }) => rows[id - 1]!),
      words,
    )
    return ranked.slice(0, limit).map(({ document }) => document.id)
  }
}

/** `unicode61`, the words of the question joined with OR, by bm25. */
export function plainSearch(documents: readonly CorpusDocument[], fields: readonly (typeof FIELDS)[number][]): Search {
  const db = new Database(':memory:')
  db.exec(`create virtual table f using fts5(${fields}, tokenize='unicode61')`)
  const insert = db.prepare(`insert into f(rowid, ${fields}) values (?${', ?'.repeat(fields.length)})`)
  db.transaction(() => {
    for (const [index, document] of documents.entries()) {
      insert.run(index + 1, ...fields.map((field) => document[field] ?? ''))
    }
  })()
  const best = db.prepare('select rowid from f where f match ? order by bm25(f) limit ?').pluck()
  return (question, limit) => {
    const words = question.match(/[\p{L}\p{N}]+/gu) ?? []
    if (words.length === 0) return []
    const ids = best.all(words.map((word) => `"${word}"`).join(' OR '), limit) as number[]
    return ids.map((id) => documents[id - 1]!.id)
  }
}
