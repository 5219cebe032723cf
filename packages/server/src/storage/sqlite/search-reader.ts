import { collectCandidates } from '../../search/candidates.ts'
import { feedExpression } from '../../search/feed-expression.ts'
import { matchAny } from '../../search/match-expression.ts'
import { parseQuery, type Query, soughtWords } from '../../search/query.ts'
import { rankDocuments } from '../../search/ranking.ts'
import type { FoundRecord, SearchOutcome, SearchReader, SearchTarget } from '../../search/search-store.ts'
import { planCandidates } from '../../search/tiers.ts'
import { type WeightedWord, weighWord } from '../../search/word-weight.ts'
import type { Databases, Handle } from './database.ts'
import { feedsInScope, streamTable } from './feeds.ts'
import { RecordRows } from './record-rows.ts'
import { SearchedFeed } from './searched-feed.ts'

/** Words in the index, everything else in our own code: ids by tiers, then one ranking over what the grant shows. */
export class SqliteSearchReader implements SearchReader {
  readonly #reader: Handle

  constructor(databases: Databases) {
    this.#reader = databases.reader
  }

  async search(targets: readonly SearchTarget[], text: string): Promise<SearchOutcome> {
    const { feeds, building, indexedThrough } = this.#feeds(targets)
    const query = parseQuery(text, [...new Set(targets.flatMap(({ fields }) => fields))])
    const words = weigh(query, feeds)
    const demanded = query.phrases.length + query.fieldTerms.length > 0
    const within = (feed: SearchedFeed, asked: string | null) => feedExpression(query, asked, feed.columns)
    const expected = demanded ? feeds.map((feed) => feed.frequency(within(feed, null))) : null
    const { list, complete } = collectCandidates(
      planCandidates(words, expected, query.compounds),
      (feed, asked, limit) => {
        const expression = within(feeds[feed]!, asked)
        return expression === null ? [] : feeds[feed]!.newest(expression, limit)
      },
    )
    const documents = list.flatMap(({ feed, id }) => feeds[feed]!.document(id) ?? [])
    const found = rankDocuments(documents, words).map(({ document, scans, tier }): FoundRecord => {
      const { target, row, rows, texts } = document
      return { target, number: row.id, tier, scans, texts, record: () => rows.toRecord(row) }
    })
    return { found, complete, words, feeds: feeds.length + building, building, indexedThrough }
  }

  async count(targets: readonly SearchTarget[], text: string): Promise<number> {
    const { feeds } = this.#feeds(targets)
    const query = parseQuery(text, [...new Set(targets.flatMap(({ fields }) => fields))])
    const words = weigh(query, feeds).map((word) => word.expression)
    const asked = words.length === 0 ? null : matchAny(words)
    return feeds.reduce((sum, feed) => sum + feed.count(feedExpression(query, asked, feed.columns)), 0)
  }

  #feeds(targets: readonly SearchTarget[]) {
    const feeds: SearchedFeed[] = []
    let building = 0
    const captured: number[] = []
    for (const target of targets) {
      const { scope } = target
      const table = streamTable(this.#reader, scope.subjectId, scope.connectorKey, scope.stream.name)
      if (!table) continue
      const all = feedsInScope(this.#reader, scope, table)
      const rows = new RecordRows(this.#reader, scope, table, all)
      for (const feed of all) {
        if (feed.capturedAt !== undefined) captured.push(feed.capturedAt)
        const searched = SearchedFeed.open(this.#reader, target, rows, feed)
        if (searched) feeds.push(searched)
        else if (feed.recordCount > 0) building++
      }
    }
    return { feeds, building, indexedThrough: captured.length === 0 ? undefined : Math.max(...captured) }
  }
}

function weigh(query: Query, feeds: readonly SearchedFeed[]): WeightedWord[] {
  const documents = feeds.reduce((sum, feed) => sum + feed.documents, 0)
  const frequencies = (expression: string) =>
    feeds.map((feed) =>
      feed.frequency(
        feedExpression({ ...query, phrases: [], fieldTerms: [], exclusions: [] }, expression, feed.columns),
      ),
    )
  return soughtWords(query).map((word) => weighWord(word, { documents, frequencies }))
}
