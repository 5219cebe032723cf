// Two indexes of the same documents: ours and plain FTS5.
import Database from 'better-sqlite3'
import { parseQuery } from '../../packages/server/src/search/query/query.ts'
import type { EditionScope } from '../../packages/server/src/search/ranking/index-scope.ts'
import { LEVERS, type Levers } from '../../packages/server/src/search/ranking/levers.ts'
import { OpenScope } from '../../packages/server/src/search/ranking/open-scope.ts'
import { rankMatches } from '../../packages/server/src/search/ranking/rank-matches.ts'
import { MemorySnapshot } from './memory-snapshot.ts'
import type { CorpusDocument } from './retrieval-corpora.ts'

export type Search = (question: string, limit: number) => string[]

const FIELDS = ['text', 'author', 'conversation'] as const
const EDITION = 1

const ROLES = { text: undefined, author: 'actor', conversation: 'title' } as const

/** Builds our index once. Returns a function that opens a search with the given levers. */
export function ownSearches(documents: readonly CorpusDocument[]): (levers?: Levers) => Search {
  const snapshot = new MemorySnapshot(
    documents.map((document, number) => ({
      ...{ edition: EDITION, number, times: [number, number] as const, group: document.conversation ?? null },
      texts: FIELDS.map((field) => document[field] ?? ''),
    })),
  )
  const classes = FIELDS.map((field) => ({ field, role: ROLES[field] }))
  const everything: EditionScope = {
    ...{ feed: EDITION, order: 0, slots: [0, 1, 2], orderedBy: 0, isGrouped: true },
    ...{ names: new Set(), times: [], only: undefined },
  }
  return (levers = LEVERS) => {
    const scope = new OpenScope({ name: '', classes, editions: new Map([[EDITION, everything]]) }, levers)
    scope.update(snapshot)
    return (question, limit) => {
      const query = parseQuery(question, FIELDS)
      const page = { query, filter: undefined, limit, after: undefined, check: () => {} }
      return rankMatches(snapshot, scope, page).found.map(({ number }) => documents[number]!.id)
    }
  }
}

/** Builds an FTS5 table with the tokenizer `unicode61`. Words are joined with OR and ranked by bm25. */
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
