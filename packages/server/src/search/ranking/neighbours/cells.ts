import type { DocumentColumns } from '../../segments/document-columns.ts'
import { MAX_DOCUMENTS } from '../../segments/segment.ts'
import { type OpenScope, UNIT } from '../open-scope.ts'
import { MAX_SUM } from '../scoring/score-arrays.ts'
import type { VisiblePart } from '../visible-part.ts'
import { MAX_SHORT } from './conversations.ts'

/** Added to the first document of a piece, so that its cell differs from all groups. */
const PIECES = MAX_DOCUMENTS
const MIN_SLOTS = 1024
const NO_CELL = -1

// One search runs at a time in a thread, so all searches use the same arrays. They are a hash table of cells, which is
// small enough for the processor's nearest cache.
let cellAt = new Int32Array(MIN_SLOTS)
let sums = new Int32Array(MIN_SLOTS)
let scores = new Float64Array(MIN_SLOTS)
let covered = new Float64Array(MIN_SLOTS)
let states = new Uint8Array(MIN_SLOTS)
/** The slots of cells, and of those among them that have the current word. */
const used: number[] = []
const touched: number[] = []

/**
 * Bounds what documents can get from their neighbours. A cell is a conversation, or a piece of a long one that is longer
 * than words reach. A document gets words only from its own cell and the ones beside it, so the sums of these cells
 * bound its score.
 */
export class Cells {
  readonly #columns: DocumentColumns
  readonly #part: VisiblePart
  readonly #scope: OpenScope
  /** Documents per piece of a long conversation. At least twice the reach of the window. */
  readonly #size: number
  #mask = 0
  #touched = 0
  #used = 0
  #hasPieces = false

  constructor(columns: DocumentColumns, scope: OpenScope, part: VisiblePart) {
    this.#columns = columns
    this.#part = part
    this.#scope = scope
    this.#size = Math.max(MAX_SHORT, 2 * scope.levers.window.length)
  }

  /** The cell of a document of a long conversation. The cell of a short one is its group. */
  cellOf(doc: number, group: number): number {
    const start = this.#columns.groupStarts[group]!
    const hasPieces = this.#part.isWhole && this.#columns.groupStarts[group + 1]! - start > this.#size
    if (!hasPieces) return group
    this.#hasPieces = true
    return PIECES + doc - ((doc - start) % this.#size)
  }

  /** Empties the table. `max` is the largest number of cells that will be added. */
  begin(max: number): void {
    let slots = MIN_SLOTS
    while (slots < 2 * max) slots *= 2
    if (slots > cellAt.length) {
      cellAt = new Int32Array(slots)
      sums = new Int32Array(slots)
      scores = new Float64Array(slots)
      covered = new Float64Array(slots)
      states = new Uint8Array(slots)
    }
    cellAt.fill(NO_CELL, 0, slots)
    this.#mask = slots - 1
    this.#used = 0
  }

  /** Adds the current word's value in a document of a cell. Returns the slot of the cell. */
  add(cell: number, own: number): number {
    const slot = this.#slotOf(cell)
    if (cellAt[slot] === NO_CELL) {
      cellAt[slot] = cell
      sums[slot] = 0
      scores[slot] = 0
      covered[slot] = 0
      used[this.#used++] = slot
    }
    if (sums[slot] === 0) touched[this.#touched++] = slot
    sums[slot] = Math.min(MAX_SUM, sums[slot]! + own)
    return slot
  }

  /** Returns the largest sum of the word that any document can have. */
  endWord(weight: number): number {
    const { saturation, whole } = this.#scope.levers
    let max = 0
    for (let at = 0; at < this.#touched; at++) {
      const slot = touched[at]!
      const sum = sums[slot]!
      const units = sum / UNIT
      sums[slot] = 0
      scores[slot]! += (weight * units) / (saturation + units)
      covered[slot]! += units >= whole ? weight : (weight * units) / whole
      if (sum > max) max = sum
    }
    this.#touched = 0
    return this.#hasPieces ? 3 * max : max
  }

  /** Sets the states of all cells. `stateOf` tells them from bounds of what their documents can have. */
  open(stateOf: (score: number, covered: number) => number): void {
    for (let at = 0; at < this.#used; at++) {
      const slot = used[at]!
      let score = scores[slot]!
      let weight = covered[slot]!
      if (cellAt[slot]! >= PIECES)
        for (let side = -1; side <= 1; side += 2) {
          const beside = this.#slotOf(cellAt[slot]! + side * this.#size)
          if (cellAt[beside] === NO_CELL) continue
          score += scores[beside]!
          weight += covered[beside]!
        }
      states[slot] = stateOf(score, weight)
    }
  }

  stateAt(slot: number): number {
    return states[slot]!
  }

  /** The slot of a cell, or the empty slot where it belongs. */
  #slotOf(cell: number): number {
    let slot = (Math.imul(cell, 0x9e3779b1) >>> 12) & this.#mask
    while (cellAt[slot] !== cell && cellAt[slot] !== NO_CELL) slot = (slot + 1) & this.#mask
    return slot
  }
}
