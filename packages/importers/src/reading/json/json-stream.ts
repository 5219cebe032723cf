import { parseJson, rawNumber } from '@pdpp/protocol'
import type { ImportInput } from '../../importer.ts'
import { decodeText, encodingOf } from '../text-encoding.ts'

/** The place of a value: names of members, and numbers of elements from 0. */
export type JsonPath = readonly (string | number)[]

export type JsonItem =
  | {
      readonly path: JsonPath
      readonly pattern: string
      readonly value: unknown
      /** Levels of lists and objects in the value. */
      readonly depth: number
      /**
       * True if the value contained NaN or Infinity, which Python writes although JSON does not allow them. They are
       * read as null.
       */
      readonly isRepaired: boolean
    }
  /** A value that is not valid JSON, or too long. */
  | { readonly path: JsonPath; readonly pattern: string; readonly fault: string; readonly excerpt: string }
  /** A value that no pattern asks for. */
  | { readonly path: JsonPath; readonly passedOver: true }
  /** The text ended inside a value. */
  | { readonly path: JsonPath; readonly cut: true }

/**
 * Decides about the value at a path: `inside` descends into its members, `pass` skips it, and a pattern returns it
 * under that pattern. A text or a number has no members, so `inside` skips it, too.
 */
export type JsonChoice = (
  path: JsonPath,
  kind: 'list' | 'object' | 'other',
) => 'inside' | 'pass' | { readonly as: string }

/** Max. characters of one value, and max. nesting levels. */
const MAX_VALUE_CHARS = 16_000_000
const MAX_LEVELS = 200

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/**
 * Reads a JSON text of any size. A pattern such as `chats.list.*.messages.*` selects values, which are returned one by
 * one in the order of the text. `*` matches every member or element, and the empty pattern matches the root. A value
 * that no pattern selects is skipped and reported as skipped, so that a reader can count it. Numbers with more digits
 * than a double holds are returned as raw numbers.
 */
export async function* readJson(input: ImportInput, patterns: readonly string[] | JsonChoice): AsyncIterable<JsonItem> {
  const scanner = new JsonScanner(patterns)
  for await (const piece of decodeText(input, await encodingOf(input))) yield* scanner.add(piece)
  yield* scanner.end()
}

interface Level {
  readonly isList: boolean
  at: number
  key: string
}

/** A value that is being collected for a pattern, or skipped. */
interface Capture {
  /** Undefined if no pattern asks for the value. */
  readonly pattern: string | undefined
  readonly kind: 'container' | 'text' | 'scalar'
  depth: number
  deepest: number
}

/**
 * Cuts a JSON text into values. It looks only at brackets, strings and commas; the JSON parser decides what is valid.
 */
export class JsonScanner {
  readonly #choose: JsonChoice
  readonly #levels: Level[] = []
  #awaits: 'name' | 'value' = 'value'
  #capture: Capture | undefined
  #isNaming = false
  #inText = false
  #escaped = false
  #held: string[] = []
  #size = 0
  #ended = false

  constructor(patterns: readonly string[] | JsonChoice) {
    this.#choose = typeof patterns === 'function' ? patterns : choiceOf(patterns)
  }

  *add(piece: string): Iterable<JsonItem> {
    let from = 0
    for (let at = 0; at < piece.length && !this.#ended; at++) {
      const char = piece.charCodeAt(at)
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false
        else if (char === BACKSLASH) this.#escaped = true
        else if (char === QUOTE) {
          this.#inText = false
          if (this.#isNaming) this.#name(this.#taken(piece, from, at + 1))
          else if (this.#capture?.kind === 'text') yield this.#finish(piece, from, at + 1)
        }
      } else if (this.#capture) {
        const end = this.#inside(this.#capture, char)
        if (end === 'here') yield this.#finish(piece, from, at + 1)
        else if (end === 'before') {
          yield this.#finish(piece, from, at)
          at-- // The character ends the value and belongs to the list or object around it.
        }
      } else if (char > 32 && char !== 0xfeff && this.#outside(char)) from = at
    }
    if (this.#isNaming || this.#capture) this.#keep(piece.slice(from))
  }

  *end(): Iterable<JsonItem> {
    if (this.#levels.length === 0 && this.#capture?.kind === 'scalar') yield this.#finish('', 0, 0)
    if (!this.#ended) yield { path: this.#path(), cut: true }
  }

  /** Handles a character between values. Returns true if a name or a captured value starts with it. */
  #outside(char: number): boolean {
    const level = this.#levels.at(-1)
    if (char === COLON) this.#awaits = 'value'
    else if (char === COMMA && level) {
      level.at++
      this.#awaits = level.isList ? 'value' : 'name'
    } else if (char === CLOSE_LIST || char === CLOSE_OBJECT) {
      this.#levels.pop()
      this.#ended = this.#levels.length === 0
    } else if (this.#awaits === 'name') {
      this.#isNaming = char === QUOTE
      this.#inText = this.#isNaming
      return this.#isNaming
    } else return this.#value(char)
    return false
  }

  #value(char: number): boolean {
    const opens = char === OPEN_LIST || char === OPEN_OBJECT
    const choice = this.#choose(this.#path(), char === OPEN_LIST ? 'list' : opens ? 'object' : 'other')
    if (choice === 'inside' && opens && this.#levels.length < MAX_LEVELS) {
      this.#levels.push({ isList: char === OPEN_LIST, at: 0, key: '' })
      this.#awaits = char === OPEN_LIST ? 'value' : 'name'
      return false
    }
    this.#inText = char === QUOTE
    this.#capture = {
      pattern: typeof choice === 'string' ? undefined : choice.as,
      kind: opens ? 'container' : this.#inText ? 'text' : 'scalar',
      depth: opens ? 1 : 0,
      deepest: opens ? 1 : 0,
    }
    return true
  }

  /** Handles a character of the captured value, outside its strings. */
  #inside(capture: Capture, char: number): 'here' | 'before' | undefined {
    const closes = char === CLOSE_LIST || char === CLOSE_OBJECT
    if (capture.kind === 'scalar') return closes || char === COMMA || char <= 32 ? 'before' : undefined
    if (char === QUOTE) this.#inText = true
    else if (char === OPEN_LIST || char === OPEN_OBJECT) capture.deepest = Math.max(capture.deepest, ++capture.depth)
    else if (closes) return --capture.depth === 0 ? 'here' : undefined
    return
  }

  #finish(piece: string, from: number, to: number): JsonItem {
    const { pattern, deepest: depth } = this.#capture!
    const isTooLong = this.#size + to - from > MAX_VALUE_CHARS
    const text = this.#taken(piece, from, to)
    const path = this.#path()
    this.#capture = undefined
    this.#ended = this.#levels.length === 0
    if (pattern === undefined) return { path, passedOver: true }
    const excerpt = text.slice(0, 80)
    if (isTooLong) return { path, pattern, fault: `is longer than ${MAX_VALUE_CHARS} characters`, excerpt }
    const value = parsed(text)
    if (value !== undefined) return { path, pattern, value, depth, isRepaired: false }
    const repaired = parsed(withoutNaN(text))
    if (repaired !== undefined) return { path, pattern, value: repaired, depth, isRepaired: true }
    return { path, pattern, fault: 'is not JSON', excerpt }
  }

  #path(): JsonPath {
    return this.#levels.map(({ isList, at, key }) => (isList ? at : key))
  }

  #name(text: string): void {
    const level = this.#levels.at(-1)!
    this.#isNaming = false
    try {
      level.key = String(JSON.parse(text))
    } catch {
      level.key = text.slice(1, -1)
    }
  }

  #taken(piece: string, from: number, to: number): string {
    this.#keep(piece.slice(from, to))
    const text = this.#held.join('')
    this.#held = []
    this.#size = 0
    return text
  }

  /** Keeps the text of a name or a value up to the limit. Keeps nothing of a skipped value. */
  #keep(text: string): void {
    const isWanted = this.#isNaming || this.#capture?.pattern !== undefined
    if (isWanted && this.#size <= MAX_VALUE_CHARS) this.#held.push(text)
    this.#size += text.length
  }
}

export function choiceOf(texts: readonly string[]): JsonChoice {
  const patterns = texts.map((text) => ({ text, parts: text === '' ? [] : text.split('.') }))
  return (path) => {
    const fits = (parts: readonly string[]) =>
      path.every((step, at) => parts[at] === '*' || parts[at] === (typeof step === 'number' ? String(step) : step))
    const fitting = patterns.filter(({ parts }) => parts.length >= path.length && fits(parts))
    const exact = fitting.find(({ parts }) => parts.length === path.length)
    return exact ? { as: exact.text } : fitting.length > 0 ? 'inside' : 'pass'
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Replaces NaN and Infinity with null, except inside strings. */
export function withoutNaN(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (part) => (part.startsWith('"') ? part : 'null'))
}

/** The text of an id, with every digit of a number. Undefined if the value cannot be an id. */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return rawNumber(value) ?? (typeof value === 'number' ? String(value) : undefined)
}
