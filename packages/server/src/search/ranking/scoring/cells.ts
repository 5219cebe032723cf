import type { DocumentColumns } from '../../segments/document-columns.ts'
import { type OpenScope, UNIT } from '../open-scope.ts'
import type { VisiblePart } from '../visible-part.ts'
import { found, MAX_SUM, met, neared, PARTS, scores, sums, touched } from './score-arrays.ts'

/** Documents per cell of a long conversation. At least twice the reach of the window. */
const MIN_CELL = 64

/**
 * Bounds what documents can get from their neighbours. A cell is a conversation, or a piece of a long one that is longer
 * than words reach. A document gets words only from its own cell and the ones beside it, so the sums of these cells
 * bound its score. Uses the arrays of `SegmentScores`, which are empty at that time, by the first document of a cell.
 */
export class Cells {
  readonly #columns: DocumentColumns
  readonly #part: VisiblePart
  readonly #scope: OpenScope
  readonly #size: number
  #touched = 0
  #found = 0
  #hasPieces = false

  constructor(columns: DocumentColumns, scope: OpenScope, part: VisiblePart) {
    this.#columns = columns
    this.#part = part
    this.#scope = scope
    this.#size = Math.max(MIN_CELL, 2 * scope.levers.window.length)
  }

  /** The cell of a document, which is the first document of it. */
  cellOf(doc: number, group: number): number {
    const start = this.#columns.groupStarts[group]!
    const isLong = this.#part.isWhole && this.#columns.groupStarts[group + 1]! - start > this.#size
    if (isLong) this.#hasPieces = true
    return isLong ? doc - ((doc - start) % this.#size) : start
  }

  /** Adds the current word's value in a document of a cell. */
  add(cell: number, own: number): void {
    if (sums[cell] === 0) touched[this.#touched++] = cell
    sums[cell] = Math.min(MAX_SUM, sums[cell]! + own)
  }

  /** Returns the largest sum of the word that any document can have. */
  endWord(weight: number): number {
    const { saturation, whole } = this.#scope.levers
    let max = 0
    for (let at = 0; at < this.#touched; at++) {
      const cell = touched[at]!
      const sum = sums[cell]!
      const units = sum / UNIT
      sums[cell] = 0
      if (met[cell] === 0) found[this.#found++] = cell
      met[cell] = 1
      scores[2 * cell]! += Math.ceil((weight * PARTS * units) / (saturation + units))
      scores[2 * cell + 1]! += Math.ceil(units >= whole ? weight * PARTS : (weight * PARTS * units) / whole)
      if (sum > max) max = sum
    }
    this.#touched = 0
    return this.#hasPieces ? 3 * max : max
  }

  /** Opens the cells whose documents may be among the best, as far as `stateOf` tells from their bounds. */
  open(stateOf: (score: number, covered: number) => number): void {
    for (let at = 0; at < this.#found; at++) {
      const cell = found[at]!
      let score = scores[2 * cell]!
      let covered = scores[2 * cell + 1]!
      if (this.#hasPieces)
        for (const beside of [cell - this.#size, cell + this.#size]) {
          if (beside < 0 || beside >= this.#columns.count || met[beside] === 0) continue
          score += scores[2 * beside]!
          covered += scores[2 * beside + 1]!
        }
      neared[cell] = stateOf(score / PARTS, covered / PARTS)
    }
  }

  /** What `open` found for a cell. */
  stateOf(cell: number): number {
    return neared[cell]!
  }

  clear(): void {
    for (let at = 0; at < this.#found; at++) {
      const cell = found[at]!
      scores[2 * cell] = 0
      scores[2 * cell + 1] = 0
      met[cell] = 0
      neared[cell] = 0
    }
  }
}
