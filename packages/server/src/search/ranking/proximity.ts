import type { Levers } from './levers.ts'
import type { WeighedWord } from './weighed-words.ts'
import type { Occurrence } from './word-places.ts'

const SATURATION = 1.2

// One search runs at a time in a thread, so all searches use the same array.
let near = new Float64Array(64)

/**
 * The bonus of a document in which words of the query are close together in a visible field. Each word gains a share of
 * its neighbour's weight, divided by the square of their distance.
 */
export function proximityOf(words: readonly WeighedWord[], found: readonly Occurrence[], levers: Levers): number {
  if (levers.proximity === 0) return 0
  if (words.length > near.length) near = new Float64Array(words.length)
  near.fill(0, 0, words.length)
  let before: Occurrence | undefined
  for (const next of found) {
    const distance = before?.slot === next.slot ? next.place - before.place : Number.POSITIVE_INFINITY
    if (before && before.word !== next.word && distance <= levers.near) {
      const share = (next.closeness * before.closeness) / Math.max(1, distance) ** 2
      near[next.word]! += words[before.word]!.weight * share
      near[before.word]! += words[next.word]!.weight * share
    }
    before = next
  }
  return words.reduce(
    (sum, { weight }, word) => sum + (levers.proximity * weight * near[word]!) / (SATURATION + near[word]!),
    0,
  )
}
