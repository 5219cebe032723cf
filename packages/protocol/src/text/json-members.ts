import { endOfText } from './json.ts'

/** Values of at least this many units are skipped without parsing them. */
const LONG_UNITS = 4096
const SPACE = /[ \t\r\n]*/y
const SIMPLE = /[-+.0-9a-zA-Z]+/y

/**
 * Finds members of an object without parsing its long values: skipping 100 KB takes some microseconds. Returns the JSON
 * of the named members, or of all. Throws if the text is not a valid object. It does not check the inside of values that
 * it returns or of long values that it skips.
 */
export function jsonMembers(json: string, names?: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>()
  let at = expect(json, 0, '{')
  if (json[skipSpace(json, at)] === '}') return ended(json, skipSpace(json, at) + 1, found)
  for (;;) {
    const start = skipSpace(json, at)
    if (json[start] !== '"') throw new SyntaxError('A name is missing.')
    const end = endOfText(json, start) + 1
    const name = JSON.parse(json.slice(start, end)) as string
    const from = skipSpace(json, expect(json, end, ':'))
    const to = endOfValue(json, from)
    if (names?.has(name) ?? true) found.set(name, json.slice(from, to))
    else if (to - from < LONG_UNITS) JSON.parse(json.slice(from, to))
    at = skipSpace(json, to)
    if (json[at] === '}') return ended(json, at + 1, found)
    at = expect(json, at, ',')
  }
}

function ended<T>(json: string, at: number, result: T): T {
  if (skipSpace(json, at) < json.length) throw new SyntaxError('The text goes on after the object.')
  return result
}

function expect(json: string, from: number, sign: string): number {
  const at = skipSpace(json, from)
  if (json[at] !== sign) throw new SyntaxError(`"${sign}" is missing.`)
  return at + 1
}

/** Stored JSON has no spaces, so the pattern is rarely needed. */
const skipSpace = (json: string, at: number): number => (json.charCodeAt(at) > 32 ? at : matchEnd(SPACE, json, at))

/** The position after a value. */
function endOfValue(json: string, from: number): number {
  const first = json[from]
  if (first === '"') return endOfText(json, from) + 1
  if (first !== '{' && first !== '[') return matchEnd(SIMPLE, json, from)
  let depth = 0
  for (let at = from; at < json.length; at++) {
    const sign = json[at]
    if (sign === '"') at = endOfText(json, at)
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1
  }
  return json.length
}

function matchEnd(pattern: RegExp, json: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(json) ? pattern.lastIndex : at
}
