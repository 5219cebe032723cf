import { type FieldScan, type Hit, SAME_WORD } from './match-finder.ts'
import type { WeightedWord } from './word-weight.ts'

/** A field of a document, as far as the grant shows it. What is not passed in cannot change a score. */
export interface RankedField {
  readonly scan: FieldScan
  readonly weight: number
  /** Words of this field on average, over the documents compared. */
  readonly averageLength: number
}

export interface Score {
  /** 2: every word of the query; 1: every word of content; 0: some. A higher one always goes first. */
  readonly tier: 0 | 1 | 2
  readonly score: number
  /** The score before it is asked how much of the query was met. */
  readonly sum: number
  /** Positions in the list of words, of those that were met. */
  readonly words: readonly number[]
}

const SATURATION = 1.2
const LENGTH_SHARE = 0.7
const NEAR = 10
const PROXIMITY = 0.5
/** How much of its score a document keeps that has hardly any of what the query is about. */
const UNCOVERED = 0.5

/** BM25 over several fields, with words near one another counting more. */
export function scoreDocument(fields: readonly RankedField[], words: readonly WeightedWord[]): Score {
  const counts = new Float64Array(words.length)
  const near = new Float64Array(words.length)
  const same = new Uint8Array(words.length)
  for (const { scan, weight, averageLength } of fields) {
    const norm = lengthNorm(weight, scan.length, averageLength)
    for (const { word, closeness } of scan.hits) {
      counts[word]! += norm * formShare(closeness, words[word]!)
      if (closeness >= SAME_WORD) same[word] = 1
    }
    addProximity(scan.hits, words, near)
  }
  let [sum, all, covered] = [0, 0, 0]
  for (const [index, { weight }] of words.entries()) {
    all += weight
    if (counts[index]! === 0) continue
    covered += weight
    sum += weight * saturated(counts[index]!) + PROXIMITY * saturated(near[index]!) * weight
  }
  const score = all === 0 ? sum : sum * coverage(covered / all)
  const met = words.flatMap((_, index) => (counts[index]! > 0 ? [index] : []))
  const meant = met.filter((index) => same[index] === 1)
  return { tier: tierOf(words, meant), score, sum, words: met }
}

export const saturated = (count: number): number => count / (SATURATION + count)

/** One word many times over is a worse answer than several of the words: what share of their weight was met. */
export const coverage = (share: number): number => UNCOVERED + (1 - UNCOVERED) * share

/** What one place of a word counts in a field of this length. */
export function lengthNorm(weight: number, length: number, averageLength: number): number {
  return weight / (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / Math.max(1, averageLength))
}

/** The word itself counts fully; another form by how close it is and by how rare all the forms together are. */
export function formShare(closeness: number, { weight, prefixWeight }: WeightedWord): number {
  return closeness === 1 || weight === 0 ? 1 : (closeness * prefixWeight) / weight
}

/** After Büttcher: each word gains from its neighbour's weight over the square of their distance. */
function addProximity(hits: readonly Hit[], words: readonly WeightedWord[], near: Float64Array): void {
  let before: Hit | undefined
  for (const hit of hits) {
    if (before && before.word !== hit.word) {
      const distance = hit.position - before.position
      if (distance <= NEAR) {
        const share = (hit.closeness * before.closeness) / Math.max(1, distance) ** 2
        near[hit.word]! += words[before.word]!.weight * share
        near[before.word]! += words[hit.word]!.weight * share
      }
    }
    before = hit
  }
}

export function tierOf(words: readonly WeightedWord[], met: readonly number[]): 0 | 1 | 2 {
  if (met.length === words.length) return 2
  const seen = new Set(met)
  const content = words.some((word) => word.content)
  return content && words.every((word, index) => !word.content || seen.has(index)) ? 1 : 0
}
