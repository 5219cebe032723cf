import type { NeighbourPlace } from '../../search-store.ts'
import type { IndexSnapshot } from '../../segments/index-snapshot.ts'
import { LENGTH_CODES } from '../../segments/length-code.ts'
import { entryOf } from '../../segments/postings-codec.ts'
import { type OpenScope, UNIT } from '../open-scope.ts'
import type { Ranked } from '../scoring/top-ranks.ts'
import type { WeighedWord } from '../weighed-words.ts'
import { conversationsOf } from './conversations.ts'

/**
 * Finds the neighbour of a match by context whose words count most for it. Among equals the nearest wins, then the
 * earlier one.
 */
export function strongestNeighbour(
  { at, doc }: Pick<Ranked, 'at' | 'doc'>,
  words: readonly WeighedWord[],
  snapshot: IndexSnapshot,
  scope: OpenScope,
): NeighbourPlace | undefined {
  const { window: shares, windowNear } = scope.levers
  let [best, place]: [number, NeighbourPlace | undefined] = [0, undefined]
  const near = conversationsOf(snapshot.segments).neighbours(scope, at, doc, windowNear, [])
  for (const one of near.sort((a, b) => a.distance - b.distance)) {
    const value = wordsValue(one.at, one.doc, words, snapshot, scope) * shares[one.distance]!
    if (value <= best) continue
    best = value
    const { columns } = snapshot.segments[one.at]!
    const { edition } = columns.runs[scope.parts[one.at]!.layout.runOf[one.doc]!]!
    place = { edition, feed: scope.scope.editions.get(edition)!.feed, number: columns.numbers[one.doc]! }
  }
  return place
}

function wordsValue(
  at: number,
  doc: number,
  words: readonly WeighedWord[],
  snapshot: IndexSnapshot,
  scope: OpenScope,
): number {
  const { runOf, classAt, classes } = scope.parts[at]!.layout
  const run = runOf[doc]!
  let total = 0
  for (const { forms, weight, spread } of words) {
    if (spread === 0) continue
    let sum = 0
    for (const { term, closeness } of forms) {
      const postings = snapshot.postings(term, at)
      const first = postings ? entryOf(postings, doc) : -1
      for (let entry = first; first >= 0 && entry < postings!.to && postings!.docs[entry] === doc; entry++) {
        const slot = postings!.slots[entry]!
        const of = classes[classAt[run]! + slot]!
        if (of < 0 || scope.spreading[of] === 0) continue
        const once = scope.countedFor(closeness)[of * LENGTH_CODES + postings!.lengths[entry]!]!
        sum += (postings!.counts[entry]! * once * closeness) | 0
      }
    }
    total += (weight * sum) / (UNIT + sum)
  }
  return total
}
