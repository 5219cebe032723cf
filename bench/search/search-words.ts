// Words for queries, chosen by the number of records that contain them.
import type { Baseline } from '../baseline/baseline.ts'
import { type BenchFeed, records } from '../data/generator.ts'
import { CHANNELS } from '../data/source.ts'

/** Different queries per case, because one query says little about other queries. */
export const VARIANTS = 8
/** Different queries for load tests, which send thousands of searches. */
const LOAD_VARIANTS = 400

export interface WordClass {
  readonly words: readonly string[]
  /** Number of records with the rarest and with the most frequent of these words. */
  readonly least: number
  readonly most: number
}

export type Vocabulary = ReturnType<typeof measureVocabulary>

export function measureVocabulary(baseline: Baseline, feeds: readonly BenchFeed[]) {
  const total = feeds.reduce((sum, feed) => sum + feed.count, 0)
  const unsuitable = new Set(['example', 'org', ...CHANNELS])
  const known = baseline.documentFrequencies().filter(({ term }) => !unsuitable.has(term))
  const near = (target: number, count = VARIANTS): WordClass => {
    const chosen = [...known]
      .sort((a, b) => Math.abs(a.doc - target) - Math.abs(b.doc - target) || (a.term < b.term ? -1 : 1))
      .slice(0, count)
    const counts = chosen.map(({ doc }) => doc)
    return { words: chosen.map(({ term }) => term), least: Math.min(...counts), most: Math.max(...counts) }
  }
  return {
    total,
    rare: near(Math.min(200, total / 50)),
    manyRare: near(Math.min(200, total / 50), LOAD_VARIANTS),
    selective: near(total * 0.005),
    one: near(total * 0.01),
    ten: near(total * 0.1),
    quarter: near(total * 0.25),
    forty: near(total * 0.4),
    most: near(total * 0.75),
    phrases: phrases(feeds[0]!),
    missing: Array.from({ length: VARIANTS }, (_, index) => `xyqw${'xqyw'[index % 4]}${'wyxq'[index >> 2]}q`),
  }
}

/** Phrases of two adjacent words, each from another record. */
function phrases(feed: BenchFeed): string[] {
  return Array.from({ length: VARIANTS }, (_, index) => {
    const number = Math.floor((feed.count * (index + 0.5)) / VARIANTS)
    const [record] = [...records(feed, number, number + 1)]
    return record!.body.split(' ').slice(4, 6).join(' ')
  })
}
