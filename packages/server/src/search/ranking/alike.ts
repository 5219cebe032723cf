import type { DocumentColumns } from '../segments/document-columns.ts'
import { LENGTH_OF } from '../segments/length-code.ts'
import type { Levers } from './levers.ts'
import { compareRanks, type Ranked } from './scoring/top-ranks.ts'
import type { VisiblePart } from './visible-part.ts'
import type { WeighedWord } from './weighed-words.ts'
import type { Occurrence } from './word-places.ts'

/**
 * A feed with many hits of the same kind, which are lowered. `last` is its highest record number on the first page.
 * Later records are not lowered, so that writes between two pages move nothing.
 */
export interface AlikeFeed {
  readonly feed: number
  readonly last: number
}

/** A match with its kind and its size. The kind is empty if the record itself has no word of content. */
export type Kinded<T extends Ranked> = T & { readonly kind: string; readonly size: number }

/** Records whose lengths differ by less than about nine per cent have the same size. */
const SIZE_STEPS = 8
/** Max. feeds whose hits are lowered, because a cursor must store them. */
const MAX_ALIKE_FEEDS = 16

/**
 * Computes the kind of a match. Records of one feed have the same kind if they have the same words of content in the
 * same fields at the same distances. A word that is alone in its field must be at the same place. Examples are the
 * lessons of every week and the orders of every month. If the query only names a person, the records of that person
 * have no kind.
 */
export function kindOf(
  feed: number,
  words: readonly WeighedWord[],
  found: readonly Occurrence[],
  isActor: (slot: number) => boolean,
): string {
  const content = found.filter(({ word }) => words[word]!.content)
  if (content.length === 0) return ''
  const isMet = (at: number) => content.some(({ word }) => word === at)
  if (content.every(({ slot }) => isActor(slot)) && words.every((word, at) => !word.content || isMet(at))) return ''
  let kind = `${feed}: `
  for (let at = 0; at < content.length; at++) {
    const { slot, place, word } = content[at]!
    kind += at === 0 ? `${slot} ${word}` : `,${slot} ${word}`
    if (content[at - 1]?.slot === slot) kind += ` ${place - content[at - 1]!.place}`
    else if (content[at + 1]?.slot !== slot) kind += ` at ${place}`
  }
  return kind
}

/** The size of a match, by the number of words in its visible fields. */
export function sizeOf({ runs, lengths }: DocumentColumns, { layout }: VisiblePart, doc: number): number {
  const run = layout.runOf[doc]!
  const { start, slots, lengthsAt } = runs[run]!
  let words = 0
  for (let slot = 0; slot < slots; slot++) {
    if (layout.classes[layout.classAt[run]! + slot]! < 0) continue
    words += LENGTH_OF[lengths[lengthsAt + (doc - start) * slots + slot]!]!
  }
  return Math.round(SIZE_STEPS * Math.log2(Math.max(1, words)))
}

/**
 * The first hits of a kind keep their grains. Each further hit gets fewer, so that hits of other kinds come in between.
 * Hits of the same kind and size are likely to be copies of one text with another name or number, such as the mails of a
 * shop, so fewer of them keep their grains.
 */
export function lowerAlike<T extends Ranked>(
  hits: readonly Kinded<T>[],
  { alike, alikeFree, copyFree }: Levers,
  known: readonly AlikeFeed[] | undefined,
): { readonly hits: readonly T[]; readonly feeds: readonly AlikeFeed[] } {
  const sorted = [...hits].sort(compareRanks)
  const feeds = known ?? feedsOf(sorted, Math.min(alikeFree, copyFree))
  const lastOf = new Map(feeds.map(({ feed, last }) => [feed, last]))
  const counts = new Map<string, number>()
  /** How many earlier hits have this name. */
  const earlier = (name: string) => {
    const before = counts.get(name) ?? 0
    counts.set(name, before + 1)
    return before
  }
  const lowered = sorted.map((hit) => {
    if (hit.kind === '' || hit.number > (lastOf.get(hit.feed) ?? -1)) return hit
    const ofKind = earlier(hit.kind) - alikeFree + 1
    const copies = earlier(`${hit.size} ${hit.kind}`) - copyFree + 1
    const times = Math.max(0, ofKind, copies)
    return times === 0 ? hit : { ...hit, grains: Math.round(hit.grains * alike ** times) }
  })
  return { hits: lowered.sort(compareRanks), feeds }
}

function feedsOf(hits: readonly Kinded<Ranked>[], alikeFree: number): AlikeFeed[] {
  const [counts, last] = [new Map<string, number>(), new Map<number, number>()]
  const feeds = new Set<number>()
  for (const { kind, feed, number } of hits) {
    last.set(feed, Math.max(number, last.get(feed) ?? -1))
    if (kind === '') continue
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    if (count > alikeFree) feeds.add(feed)
  }
  return [...feeds].slice(0, MAX_ALIKE_FEEDS).map((feed) => ({ feed, last: last.get(feed)! }))
}
