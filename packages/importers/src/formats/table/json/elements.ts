import { MAX_ROW_CHARS } from '../../../table/row.ts'

/** The text of one element of a list. The list is the root, or a member of the root object. */
export interface JsonElement {
  /** Name of the member. Empty if the list is the root. */
  readonly list: string
  readonly text: string
  readonly tooLong: boolean
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/**
 * Cuts a JSON text of any size into the elements of its lists, with one element in memory at a time. It only looks at
 * brackets, texts and commas. The JSON parser decides whether an element is valid.
 */
export class JsonElements {
  #depth = 0
  #inText = false
  #escaped = false
  #rootIsList = false
  #list: string | undefined
  #key = ''
  /** True while the name of a member is collected, not its value. */
  #naming = true
  #held: string[] = []
  #size = 0
  #collecting = false
  /** True when the root is closed. */
  ended = false;

  *add(piece: string): Iterable<JsonElement> {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const char = piece.charCodeAt(at)
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false
        else if (char === BACKSLASH) this.#escaped = true
        else if (char === QUOTE) this.#inText = false
        continue
      }
      if (char <= 32 || char === 0xfeff) continue
      const element = this.#structure(char, piece, from, at)
      if (element === 'start') from = at
      else if (element === 'skip') from = at + 1
      else if (element) {
        yield element
        from = at + 1
      }
    }
    this.#keep(piece, from, piece.length)
  }

  #structure(char: number, piece: string, from: number, at: number): JsonElement | 'start' | 'skip' | undefined {
    const level = this.#list === undefined ? 1 : this.#rootIsList ? 1 : 2
    const atLevel = this.#depth === level
    if (char === QUOTE) this.#inText = true
    if (char === OPEN_LIST || char === OPEN_OBJECT) return this.#open(char, atLevel)
    if (char === CLOSE_LIST || char === CLOSE_OBJECT) {
      this.#depth--
      if (!atLevel) return
      return this.#finish(piece, from, at, true)
    }
    if (atLevel && char === COMMA) return this.#finish(piece, from, at, false)
    if (atLevel && char === COLON && this.#list === undefined && this.#naming) {
      this.#keep(piece, from, at)
      this.#key = memberName(this.#held.join(''))
      this.#naming = false
      this.#clear()
      return 'skip'
    }
    return this.#begin(atLevel)
  }

  #open(char: number, atLevel: boolean): 'start' | 'skip' | undefined {
    this.#depth++
    if (this.#depth === 1) {
      this.#rootIsList = char === OPEN_LIST
      if (this.#rootIsList) this.#list = ''
      return 'skip'
    }
    if (this.#list === undefined && this.#depth === 2 && char === OPEN_LIST && !this.#naming) {
      this.#list = this.#key
      this.#clear()
      return 'skip'
    }
    return this.#begin(atLevel)
  }

  #begin(atLevel: boolean): 'start' | undefined {
    if (!atLevel || this.#collecting) return
    this.#collecting = true
    return 'start'
  }

  /** An element ends with a comma or with its list. */
  #finish(piece: string, from: number, at: number, closes: boolean): JsonElement | 'skip' {
    this.#keep(piece, from, at)
    const text = this.#held.join('')
    const tooLong = this.#size > MAX_ROW_CHARS
    const list = this.#list
    const had = this.#collecting
    this.#clear()
    if (closes && this.#depth === 0) this.ended = true
    if (list === undefined) this.#naming = true
    else if (closes && !this.#rootIsList) this.#list = undefined
    return list !== undefined && had ? { list, text, tooLong } : 'skip'
  }

  #keep(piece: string, from: number, to: number): void {
    if (!this.#collecting) return
    if (this.#size <= MAX_ROW_CHARS) this.#held.push(piece.slice(from, to))
    this.#size += to - from
  }

  #clear(): void {
    this.#held = []
    this.#size = 0
    this.#collecting = false
  }
}

function memberName(text: string): string {
  try {
    return String(JSON.parse(text.trim()))
  } catch {
    return text.trim().slice(0, 200)
  }
}
