import { columnsOf, type DocumentColumns, RunBuilder } from './document-columns.ts'
import { type DocumentOrder, inOrder } from './segment-builder.ts'

export interface MergedDocuments {
  readonly columns: DocumentColumns
  /**
   * For each input, the new number of each of its documents. -1 if the document is left out. The documents of one input
   * keep their order.
   */
  readonly renumbered: readonly Int32Array[]
}

interface Source {
  readonly columns: DocumentColumns
  isDead(doc: number): boolean
}

/** Puts the living documents of all inputs into the order of a segment. */
export function mergeDocuments(inputs: readonly Source[]): MergedDocuments {
  const renumbered = inputs.map(({ columns }) => new Int32Array(columns.count).fill(-1))
  const total = inputs.reduce((sum, { columns }) => sum + columns.count, 0)
  const [origins, docs] = [new Uint32Array(total), new Uint32Array(total)]
  const [runs, starts, groups] = [new RunBuilder(), [] as number[], [] as number[]]
  const heads = inputs.map((input, at) => new DocumentCursor(input, at)).filter((head) => head.next())
  heads.sort(byDocument)
  let [count, edition] = [0, -1]
  for (let head = heads[0]; head; head = heads[0]) {
    renumbered[head.input]![head.doc] = count
    origins[count] = head.input
    docs[count] = head.doc
    if (head.edition !== edition || head.group !== groups[groups.length - 1]) {
      starts.push(count)
      groups.push(head.group)
    }
    edition = head.edition
    runs.add(edition, head.slots)
    count++
    if (head.next()) sinkFirst(heads, byDocument)
    else heads.shift()
  }
  const columns = columnsOf(count, runs.finish(), starts.length)
  columns.groupStarts.set([...starts, count])
  columns.groups.set(groups)
  copyDocuments(columns, inputs, origins, docs)
  return { columns, renumbered }
}

const byDocument = (a: DocumentCursor, b: DocumentCursor): number => inOrder(a, b) || a.input - b.input

/** Moves the first element of a list to its place. All other elements are already in order. */
function sinkFirst<T>(list: T[], compare: (a: T, b: T) => number): void {
  const first = list[0]!
  let at = 1
  for (; at < list.length && compare(first, list[at]!) > 0; at++) list[at - 1] = list[at]!
  list[at - 1] = first
}

/** Walks the living documents of a segment. */
class DocumentCursor implements DocumentOrder {
  readonly input: number
  readonly #source: Source
  doc = -1
  edition = 0
  group = 0
  time = 0
  number = 0
  slots = 0
  #run = 0
  #group = 0

  constructor(source: Source, input: number) {
    this.#source = source
    this.input = input
  }

  next(): boolean {
    const { columns } = this.#source
    do this.doc++
    while (this.doc < columns.count && this.#source.isDead(this.doc))
    if (this.doc >= columns.count) return false
    while (columns.runs[this.#run]!.end <= this.doc) this.#run++
    while (columns.groupStarts[this.#group + 1]! <= this.doc) this.#group++
    const { edition, slots } = columns.runs[this.#run]!
    this.edition = edition
    this.slots = slots
    this.group = columns.groups[this.#group]!
    this.time = columns.times[0][this.doc]!
    this.number = columns.numbers[this.doc]!
    return true
  }
}

function copyDocuments(
  columns: DocumentColumns,
  inputs: readonly Source[],
  origins: Uint32Array,
  docs: Uint32Array,
): void {
  let to = 0
  for (const { start, end, slots, edition } of columns.runs) {
    const runs = inputs.map((input) => input.columns.runs.find((run) => run.edition === edition))
    for (let doc = start; doc < end; doc++) {
      const from = docs[doc]!
      const origin = origins[doc]!
      const { numbers, times, lengths } = inputs[origin]!.columns
      columns.numbers[doc] = numbers[from]!
      columns.times[0][doc] = times[0][from]!
      columns.times[1][doc] = times[1][from]!
      const run = runs[origin]!
      const at = run.lengthsAt + (from - run.start) * slots
      for (let slot = 0; slot < slots; slot++) columns.lengths[to++] = lengths[at + slot]!
    }
  }
}
