import { type FieldScan, MatchFinder } from './match-finder.ts'
import { type RankedField, type Score, scoreDocument } from './rank.ts'
import type { SearchedField } from './searched-index.ts'
import type { WeightedWord } from './word-weight.ts'

/** A document as the grant shows it: its search fields and nothing else. */
export interface RankableDocument {
  readonly fields: readonly RankableField[]
  /** For the order among equals; null where the source says no time. */
  readonly authoredAt: number | null
}

interface RankableField extends SearchedField {
  readonly text: string
}

export interface RankedDocument<T> extends Score {
  readonly document: T
  /** By position in the document's fields. */
  readonly scans: readonly FieldScan[]
}

const TITLE_ROLES = new Set(['primary-title', 'title', 'subject', 'name'])
const SHORT_WORDS = 12
const TITLE_WEIGHT = 2
const SHORT_WEIGHT = 1.5
/** Scores closer than this are equals, and the newer goes first. */
export const GRAIN = 1 / 256

/** Documents are told apart one by one as they come, and their texts need not be kept. */
export class Ranking<T> {
  readonly #words: readonly WeightedWord[]
  readonly #scanner: MatchFinder
  readonly #scanned: Scanned<T>[] = []

  constructor(words: readonly WeightedWord[]) {
    this.#words = words
    this.#scanner = new MatchFinder(words)
  }

  add(document: T, fields: readonly SearchedField[], texts: readonly string[], authoredAt: number | null): void {
    this.#scanned.push({ document, fields, authoredAt, scans: texts.map((text) => this.#scanner.scan(text)) })
  }

  /** Best first: all words before fewer, then by score, then the newer. */
  ranked(
    /** Average words of each field, where they are known of more documents than these. */
    known: ReadonlyMap<string, number> = new Map(),
  ): RankedDocument<T>[] {
    const averages = averageLengths(this.#scanned)
    const ranked = this.#scanned.map(({ document, fields, scans, authoredAt }) => {
      const scored = scans.map((scan, index): RankedField => {
        const { key, role } = fields[index]!
        const averageLength = known.get(key) ?? averages.get(key)!
        return { scan, averageLength, weight: fieldWeight(role, averageLength) }
      })
      return { document, scans, authoredAt, ...scoreDocument(scored, this.#words) }
    })
    return ranked.sort(order)
  }
}

export function rankDocuments<T extends RankableDocument>(
  documents: readonly T[],
  words: readonly WeightedWord[],
  known?: ReadonlyMap<string, number>,
): RankedDocument<T>[] {
  const ranking = new Ranking<T>(words)
  for (const document of documents) {
    const { fields, authoredAt } = document
    ranking.add(
      document,
      fields,
      fields.map(({ text }) => text),
      authoredAt,
    )
  }
  return ranking.ranked(known)
}

/** A word in a title, a name or another short field says more about a document than one in its body. */
export function fieldWeight(role: string | undefined, averageLength: number): number {
  if (role !== undefined && TITLE_ROLES.has(role)) return TITLE_WEIGHT
  return averageLength <= SHORT_WORDS ? SHORT_WEIGHT : 1
}

interface Scanned<T> {
  readonly document: T
  readonly fields: readonly SearchedField[]
  readonly scans: readonly FieldScan[]
  readonly authoredAt: number | null
}

function averageLengths(scanned: readonly Scanned<unknown>[]): Map<string, number> {
  const totals = new Map<string, { words: number; count: number }>()
  for (const { fields, scans } of scanned) {
    for (const [index, { key }] of fields.entries()) {
      const total = totals.get(key)
      if (!total) totals.set(key, { words: scans[index]!.length, count: 1 })
      else {
        total.words += scans[index]!.length
        total.count++
      }
    }
  }
  return averageOf(totals)
}

export function averageOf(totals: ReadonlyMap<string, { words: number; count: number }>): Map<string, number> {
  return new Map([...totals].map(([key, { words, count }]) => [key, words / count]))
}

type Ordered = RankedDocument<unknown> & Pick<Scanned<unknown>, 'authoredAt'>

function order(a: Ordered, b: Ordered): number {
  return (
    b.tier - a.tier ||
    Math.round(b.score / GRAIN) - Math.round(a.score / GRAIN) ||
    (b.authoredAt ?? Number.NEGATIVE_INFINITY) - (a.authoredAt ?? Number.NEGATIVE_INFINITY) ||
    0
  )
}
