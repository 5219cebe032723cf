import { type RankedField, type Score, scoreDocument } from './rank.ts'
import { type FieldScan, Scanner } from './scan.ts'
import type { WeightedWord } from './word-weight.ts'

/** A document as the grant shows it: its search fields and nothing else. */
export interface RankableDocument {
  readonly fields: readonly RankableField[]
  /** For the order among equals; null where the source says no time. */
  readonly authoredAt: number | null
}

interface RankableField {
  /** The same for the same field of the same stream: lengths are compared within it. */
  readonly key: string
  readonly text: string
  /** `x_pdpp_role`, where declared. */
  readonly role?: string | undefined
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

/** Best first: all words before fewer, then by score, then the newer. */
export function rankDocuments<T extends RankableDocument>(
  documents: readonly T[],
  words: readonly WeightedWord[],
  /** Average words of each field, where they are known of more documents than these. */
  known: ReadonlyMap<string, number> = new Map(),
): RankedDocument<T>[] {
  const scanner = new Scanner(words)
  const scanned = documents.map((document) => ({
    document,
    scans: document.fields.map(({ text }) => scanner.scan(text)),
  }))
  const averages = averageLengths(scanned)
  const ranked = scanned.map(({ document, scans }) => {
    const fields = scans.map((scan, index): RankedField => {
      const field = document.fields[index]!
      const averageLength = known.get(field.key) ?? averages.get(field.key)!
      return { scan, averageLength, weight: fieldWeight(field.role, averageLength) }
    })
    return { document, scans, ...scoreDocument(fields, words) }
  })
  return ranked.sort(order)
}

/** A word in a title, a name or another short field says more about a document than one in its body. */
export function fieldWeight(role: string | undefined, averageLength: number): number {
  if (role !== undefined && TITLE_ROLES.has(role)) return TITLE_WEIGHT
  return averageLength <= SHORT_WORDS ? SHORT_WEIGHT : 1
}

type Scanned = { readonly document: RankableDocument; readonly scans: readonly FieldScan[] }

function averageLengths(scanned: readonly Scanned[]): Map<string, number> {
  const totals = new Map<string, { words: number; count: number }>()
  for (const { document, scans } of scanned) {
    for (const [index, { key }] of document.fields.entries()) {
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

function order(a: RankedDocument<RankableDocument>, b: RankedDocument<RankableDocument>): number {
  return (
    b.tier - a.tier ||
    Math.round(b.score / GRAIN) - Math.round(a.score / GRAIN) ||
    (b.document.authoredAt ?? Number.NEGATIVE_INFINITY) - (a.document.authoredAt ?? Number.NEGATIVE_INFINITY) ||
    0
  )
}
