import type { DocumentColumns, Run } from '../../segments/document-columns.ts'
import type { ListedSegment } from '../../segments/index-snapshot.ts'
import type { OpenScope } from '../open-scope.ts'

/** The documents of one conversation in one segment. */
interface GroupPart {
  readonly at: number
  readonly start: number
  readonly end: number
}

export interface Neighbour {
  readonly at: number
  readonly doc: number
  /** 0 for the document directly before or after. */
  readonly distance: number
}

/**
 * States of a group: all of it is in one segment, or it is split over several, or its documents are no conversation, or
 * it is in one segment and has many documents. 0 means that this is not known yet.
 */
export const [ALONE, SPLIT, LONG] = [1, 2, 4]
const NONE = 3
/** A group with more documents is long. */
export const MAX_SHORT = 64
const NOWHERE: readonly GroupPart[] = []

/**
 * Finds neighbours in conversations, in the order of their times. The documents of a conversation are next to each
 * other in a segment. A conversation that is split over several segments is put together when it is needed. Hidden
 * documents are skipped as if they did not exist.
 */
export class Conversations {
  readonly #segments: readonly ListedSegment[]
  readonly #known: Uint8Array[] = []
  readonly #parts = new Map<string, readonly GroupPart[]>()

  constructor(segments: readonly ListedSegment[]) {
    this.#segments = segments
  }

  /** The group of each document of a segment, as a position in its groups. */
  groupsOf(at: number): Uint16Array {
    return groupsOf(this.#segments[at]!.columns)
  }

  /** The states of a segment's groups, as far as they are known. */
  statesOf(at: number): Uint8Array {
    this.#known[at] ??= new Uint8Array(this.#segments[at]!.columns.groups.length)
    return this.#known[at]!
  }

  /** The state of a group of a segment. */
  stateOf(at: number, run: number, group: number): number {
    this.#elsewhere(at, run, group)
    return this.#known[at]![group]!
  }

  /** The documents of a document's conversation in its segment. */
  rangeOf(at: number, doc: number): Omit<GroupPart, 'at'> {
    const { columns } = this.#segments[at]!
    const group = groupsOf(columns)[doc]!
    return { start: columns.groupStarts[group]!, end: columns.groupStarts[group + 1]! }
  }

  /** The nearest visible documents before and after a document, up to `reach` in each direction. */
  neighbours({ scope, parts }: OpenScope, at: number, doc: number, reach: number, found: Neighbour[]): Neighbour[] {
    found.length = 0
    const { columns } = this.#segments[at]!
    const run = parts[at]!.layout.runOf[doc]!
    if (scope.editions.get(columns.runs[run]!.edition)?.isGrouped !== true) return found
    const group = groupsOf(columns)[doc]!
    if (columns.groups[group] === 0) return found
    const here = { at, start: columns.groupStarts[group]!, end: columns.groupStarts[group + 1]! }
    const { visible } = parts[at]!
    for (let near = doc - 1; near >= here.start && found.length < reach; near--)
      if (visible[near] === 1) found.push({ at, doc: near, distance: found.length })
    const before = found.length
    for (let near = doc + 1; near < here.end && found.length - before < reach; near++)
      if (visible[near] === 1) found.push({ at, doc: near, distance: found.length - before })
    for (const other of this.#elsewhere(at, run, group)) this.#join(parts, at, doc, other, reach, found)
    return found
  }

  /** The documents of the same conversation in other segments. Most conversations have none. */
  #elsewhere(at: number, run: number, group: number): readonly GroupPart[] {
    const { columns } = this.#segments[at]!
    const known = this.statesOf(at)
    if (columns.groups[group] === 0) known[group] = NONE
    if (known[group] === ALONE || known[group] === NONE || known[group] === LONG) return NOWHERE
    const name = `${at} ${group}`
    if (known[group] === SPLIT) return this.#parts.get(name)!
    const found: GroupPart[] = []
    for (const [other, segment] of this.#segments.entries()) {
      if (other === at) continue
      const part = groupIn(segment.columns, columns.runs[run]!.edition, columns.groups[group]!)
      if (part) found.push({ at: other, ...part })
    }
    const isLong = columns.groupStarts[group + 1]! - columns.groupStarts[group]! > MAX_SHORT
    known[group] = found.length > 0 ? SPLIT : isLong ? LONG : ALONE
    if (found.length > 0) this.#parts.set(name, found)
    return found
  }

  /** Adds the nearest documents of another segment to the found neighbours. */
  #join(parts: OpenScope['parts'], at: number, doc: number, other: GroupPart, reach: number, found: Neighbour[]): void {
    const { visible, documents } = parts[other.at]!
    if (documents === 0) return
    const sides: [Neighbour[], Neighbour[]] = [[], []]
    for (const one of found) sides[this.#compare(one.at, one.doc, at, doc) < 0 ? 0 : 1].push(one)
    // Most ranges are completely before or after the found neighbours. Such a range is skipped without looking at its
    // documents.
    const [before, after] = [sides[0][reach - 1], sides[1][reach - 1]]
    const isEarlier = before && this.#compare(other.at, other.end - 1, before.at, before.doc) < 0
    const isLater = after && this.#compare(other.at, other.start, after.at, after.doc) > 0
    if (isEarlier || isLater) return
    const place = this.#lowerBound(other, at, doc)
    for (let near = place - 1, count = 0; near >= other.start && count < reach; near--)
      if (visible[near] === 1 && ++count) sides[0].push({ at: other.at, doc: near, distance: 0 })
    for (let near = place, count = 0; near < other.end && count < reach; near++)
      if (visible[near] === 1 && ++count) sides[1].push({ at: other.at, doc: near, distance: 0 })
    sides[0].sort((a, b) => this.#compare(b.at, b.doc, a.at, a.doc))
    sides[1].sort((a, b) => this.#compare(a.at, a.doc, b.at, b.doc))
    found.length = 0
    for (const side of sides)
      for (const [distance, one] of side.slice(0, reach).entries()) found.push({ at: one.at, doc: one.doc, distance })
  }

  /** The first document of a range that comes after another document. */
  #lowerBound({ at, start, end }: GroupPart, fromAt: number, doc: number): number {
    let [low, high] = [start, end]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(at, middle, fromAt, doc) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(at: number, doc: number, otherAt: number, other: number): number {
    const [a, b] = [this.#segments[at]!.columns, this.#segments[otherAt]!.columns]
    const [time, otherTime] = [a.times[0][doc]!, b.times[0][other]!]
    return time === otherTime ? a.numbers[doc]! - b.numbers[other]! : time - otherTime
  }
}

function groupIn(columns: DocumentColumns, edition: number, hash: number): Omit<GroupPart, 'at'> | undefined {
  const run = columns.runs.find((one) => one.edition === edition)
  if (!run) return
  const { groups, groupStarts } = columns
  // Within a run the groups are in ascending order.
  let [low, high] = groupRange(columns, run)
  const end = high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (groups[middle]! < hash) low = middle + 1
    else high = middle
  }
  return low < end && groups[low] === hash ? { start: groupStarts[low]!, end: groupStarts[low + 1]! } : undefined
}

function groupRange(columns: DocumentColumns, { start, end }: Run): [number, number] {
  const groupOf = groupsOf(columns)
  return [groupOf[start]!, groupOf[end - 1]! + 1]
}

const knownGroups = new WeakMap<DocumentColumns, Uint16Array>()

/** The group of each document, as a position in `groups`. */
function groupsOf(columns: DocumentColumns): Uint16Array {
  const known = knownGroups.get(columns)
  if (known) return known
  const groupOf = new Uint16Array(columns.count)
  for (let group = 0; group < columns.groups.length; group++)
    groupOf.fill(group, columns.groupStarts[group]!, columns.groupStarts[group + 1]!)
  knownGroups.set(columns, groupOf)
  return groupOf
}

const ordered = new WeakMap<readonly ListedSegment[], Conversations>()

/** Caches the conversations of these segments while the segments are in use. */
export function conversationsOf(segments: readonly ListedSegment[]): Conversations {
  const known = ordered.get(segments) ?? new Conversations(segments)
  ordered.set(segments, known)
  return known
}
