import type { DocumentColumns, Run } from '../segments/document-columns.ts'
import type { ListedSegment } from '../segments/index-snapshot.ts'
import { LENGTH_OF } from '../segments/length-code.ts'
import type { EditionScope, IndexScope } from './index-scope.ts'

/** The visible part of a segment: its documents that a scope shows, and the sums over them that the ranking needs. */
export interface VisiblePart {
  /** 1 for each document that is visible. */
  readonly visible: Uint8Array
  /**
   * True if every document and every field of the segment is visible. Then `Postings.documents` is the number of
   * visible documents with a term.
   */
  readonly isWhole: boolean
  /** True if every field of every visible document is visible. */
  readonly hasAllFields: boolean
  readonly documents: number
  /** For each class the number of documents with a text in it, and the total number of its words. */
  readonly fields: Float64Array
  readonly words: Float64Array
  readonly layout: PartLayout
}

/**
 * Arrays that find the run of a document, and for a run its documents, the classes of its fields and its times.
 * `starts`, `ends`, `classAt`, `times`, `orders` and `feeds` have one value per run.
 */
interface PartLayout {
  readonly runOf: Uint16Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** `classes[classAt[run] + slot]` is the class of a field. -1 if it is hidden. */
  readonly classAt: Int32Array
  readonly classes: Int16Array
  /** For each run the times that order its documents. Undefined if the grant hides them. */
  readonly times: readonly (Float64Array | undefined)[]
  /** For each run the position of its feed in the order of names. -1 if the grant hides the feed. */
  readonly orders: Int32Array
  /** For each run the number of its feed. -1 if the grant hides the feed. */
  readonly feeds: readonly number[]
}

/** The visible part of a segment, and the set of dead documents that it leaves out. */
export interface KnownPart {
  readonly part: VisiblePart
  readonly dead: ReadonlySet<number>
}

/** `known` is the part of the same segment and scope at a time when fewer documents were dead. */
export function visiblePart(segment: ListedSegment, scope: IndexScope, known?: KnownPart): VisiblePart {
  if (known) return withoutDead(known.part, segment, scope)
  const { columns, dead } = segment
  const { classes, editions } = scope
  const visible = new Uint8Array(columns.count)
  for (const run of columns.runs) {
    const scope = editions.get(run.edition)
    if (scope) markVisible(visible, columns, run, scope)
  }
  for (const doc of dead) visible[doc] = 0
  const [fields, words] = [new Float64Array(classes.length), new Float64Array(classes.length)]
  let documents = 0
  let [isWhole, hasAllFields] = [true, true]
  for (const run of columns.runs) {
    const slots = editions.get(run.edition)?.slots
    const counted = slots ? addLengths(visible, columns, run, slots, fields, words) : 0
    documents += counted
    if (counted < run.end - run.start || slots!.includes(-1)) isWhole = false
    if (slots?.includes(-1)) hasAllFields = false
  }
  return { visible, isWhole, hasAllFields, documents, fields, words, layout: layoutOf(columns, editions) }
}

/** Removes documents that died since. The sums are whole numbers, so subtracting keeps them exact. */
function withoutDead(part: VisiblePart, { columns, dead }: ListedSegment, { editions }: IndexScope): VisiblePart {
  const died = [...dead].filter((doc) => part.visible[doc] === 1)
  if (died.length === 0) return part
  const [visible, fields, words] = [part.visible.slice(), part.fields.slice(), part.words.slice()]
  for (const doc of died) {
    visible[doc] = 0
    const { edition, start, slots: width, lengthsAt } = columns.runs[part.layout.runOf[doc]!]!
    const { slots } = editions.get(edition)!
    for (let slot = 0; slot < width; slot++) {
      const [of, code] = [slots[slot]!, columns.lengths[lengthsAt + (doc - start) * width + slot]!]
      if (of < 0 || code === 0) continue
      fields[of]!--
      words[of]! -= LENGTH_OF[code]!
    }
  }
  return { ...part, visible, isWhole: false, documents: part.documents - died.length, fields, words }
}

function markVisible(visible: Uint8Array, columns: DocumentColumns, { start, end }: Run, scope: EditionScope): void {
  visible.fill(1, start, end)
  for (const { column, since, until } of scope.times) {
    const times = columns.times[column]
    for (let doc = start; doc < end; doc++) if (!(times[doc]! >= since && times[doc]! < until)) visible[doc] = 0
  }
  const { only } = scope
  if (!only) return
  for (let doc = start; doc < end; doc++) if (visible[doc] === 1 && !only.has(columns.numbers[doc]!)) visible[doc] = 0
}

/**
 * Adds the lengths of the visible documents of a run. Returns the number of these documents. Empty fields do not count.
 */
function addLengths(
  visible: Uint8Array,
  { lengths }: DocumentColumns,
  { start, end, slots: width, lengthsAt }: Run,
  slots: readonly number[],
  fields: Float64Array,
  words: Float64Array,
): number {
  let documents = 0
  for (let doc = start, at = lengthsAt; doc < end; doc++, at += width) {
    if (visible[doc] === 0) continue
    documents++
    for (let slot = 0; slot < width; slot++) {
      // Not destructured, because destructuring is slow until the code is compiled, and a start runs this only once.
      const of = slots[slot]!
      const code = lengths[at + slot]!
      if (of < 0 || code === 0) continue
      fields[of]!++
      words[of]! += LENGTH_OF[code]!
    }
  }
  return documents
}

function layoutOf(columns: DocumentColumns, editions: IndexScope['editions']): PartLayout {
  const { runs } = columns
  const runOf = runsOf(columns)
  const [starts, ends, classAt, orders] = [0, 1, 2, 3].map(() => new Int32Array(runs.length))
  const classes: number[] = []
  for (const [run, { edition, start, end, slots }] of runs.entries()) {
    starts![run] = start
    ends![run] = end
    classAt![run] = classes.length
    orders![run] = editions.get(edition)?.order ?? -1
    const shown = editions.get(edition)?.slots
    for (let slot = 0; slot < slots; slot++) classes.push(shown?.[slot] ?? -1)
  }
  const times = runs.map(({ edition }) => {
    const orderedBy = editions.get(edition)?.orderedBy
    return orderedBy === undefined ? undefined : columns.times[orderedBy]
  })
  return {
    ...{ runOf, starts: starts!, ends: ends!, classAt: classAt!, classes: Int16Array.from(classes), times },
    orders: orders!,
    feeds: runs.map(({ edition }) => editions.get(edition)?.feed ?? -1),
  }
}

const knownRuns = new WeakMap<DocumentColumns, Uint16Array>()

/** The run of each document. Cached, because it is the same for all scopes. */
function runsOf(columns: DocumentColumns): Uint16Array {
  const known = knownRuns.get(columns)
  if (known) return known
  const runOf = new Uint16Array(columns.count)
  for (const [run, { start, end }] of columns.runs.entries()) runOf.fill(run, start, end)
  knownRuns.set(columns, runOf)
  return runOf
}
