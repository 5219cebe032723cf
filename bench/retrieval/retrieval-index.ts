// Two indexes of the same documents: ours (own terms, candidates and ranking) and plain FTS5.
import Database from 'better-sqlite3'
import { indexText } from '../../packages/server/src/search/analysis/analyser.ts'
import { parseQuery } from '../../packages/server/src/search/query/query.ts'
import { chooseCandidates } from '../../packages/server/src/search/ranking/candidates.ts'
import { feedExpression } from '../../packages/server/src/search/ranking/feed-expression.ts'
import { estimateFrequency, FREQUENCY_SAMPLE } from '../../packages/server/src/search/ranking/frequency.ts'
import { type RankableDocument, rankDocuments } from '../../packages/server/src/search/ranking/ranking.ts'
import type { SearchedIndex } from '../../packages/server/src/search/ranking/searched-index.ts'
import { weighWord } from '../../packages/server/src/search/ranking/word-weight.ts'
import { Handle } from '../../packages/server/src/storage/sqlite/engine/database.ts'
import { occurrencesOf } from '../../packages/server/src/storage/sqlite/words/occurrences.ts'
import type { CorpusDocument } from './retrieval-corpora.ts'

export type Search = (question: string, limit: number) => string[]

const FIELDS = ['text', 'author', 'conversation'] as const
const COLUMNS = new Map(FIELDS.map((field, index) => [field as string, `w${index}`]))

interface Row extends RankableDocument {
  readonly id: string
}

export function ownSearch(documents: readonly CorpusDocument[]): Search {
  const handle = fill(documents)
  const rows = documents.map((document, index): Row => {
    const fields = FIELDS.map((field) => ({ key: field, text: document[field] ?? '' }))
    return { id: document.id, fields, authoredAt: index }
  })
  return (question, limit) => {
    const query = parseQuery(question, FIELDS)
    const index = searchedIndex(handle, documents.length, (asked) => feedExpression(query, asked, COLUMNS)!)
    const scope = { documents: documents.length, frequencies: (word: string) => [index.frequency(word)] }
    const words = query.words.map((word) => weighWord(word, scope))
    const { list, averages, ranking } = chooseCandidates(query, words, [index], timesOf)
    if (ranking) return ranking.slice(0, limit).map(({ id }) => rows[id - 1]!.id)
    const ranked = rankDocuments(
      list.map(({ id }) => rows[id - 1]!),
      words,
      averages,
    )
    return ranked.slice(0, limit).map(({ document }) => document.id)
  }
}

/** Later documents count as newer. */
const timesOf = <Place extends { id: number }>(places: readonly Place[]) =>
  new Map(places.map((place) => [place, place.id]))

function fill(documents: readonly CorpusDocument[]): Handle {
  const handle = new Handle(new Database(':memory:'))
  const columns = [...COLUMNS.values()]
  handle.db.exec(`create virtual table f using fts5(${columns}, content='', contentless_delete=1, tokenize='ascii')`)
  const insert = handle.prepare(`insert into f(rowid, ${columns}) values (?, ?, ?, ?)`)
  handle.transaction(() => {
    for (const [index, document] of documents.entries()) {
      insert.run(index + 1, ...FIELDS.map((field) => indexText(document[field] ?? '')))
    }
  })
  return handle
}

function searchedIndex(handle: Handle, documents: number, expression: (asked: string | null) => string): SearchedIndex {
  const newest = (asked: string | null, limit: number) =>
    handle.column<number>('select rowid from f where f match ? order by rowid desc limit ?', expression(asked), limit)
  const scope = { index: 'f', fields: FIELDS.map((_, index) => index) }
  return {
    documents,
    fields: FIELDS.map((key) => ({ key })),
    newest,
    frequency: (asked) =>
      estimateFrequency(newest(asked, FREQUENCY_SAMPLE), { documents, oldestId: 1, newestId: documents }),
    countUpTo: (asked, most) => newest(asked, most).length,
    occurrences: (word) => occurrencesOf(handle, scope, word),
  }
}

/** Tokenizer `unicode61`, words joined with OR, ranked by bm25. */
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
