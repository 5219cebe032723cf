import { jsonMembers, parseJson } from '@pdpp/protocol/reading'
import { damaged } from './store-fault.ts'

/** Parses JSON that the store wrote. If it is invalid, the file is damaged although its pages look intact. */
export function storedJson<T>(text: string): T {
  return parseStored(text, JSON.parse) as T
}

/** Parses a record and keeps every digit of its numbers. */
export function storedRecord(text: string): Record<string, unknown> {
  return parseStored(text, parseJson) as Record<string, unknown>
}

/** In longer records, members are found first and parsed one by one. Short ones are parsed faster as a whole. */
const LONG_RECORD = 8192

/** Parses a record, at least these members of it, and keeps every digit of their numbers. */
export function storedMembers(text: string, names: readonly string[]): Record<string, unknown> {
  if (text.length < LONG_RECORD) return storedRecord(text)
  return parseStored(text, () => parseMembers(text, names)) as Record<string, unknown>
}

function parseMembers(text: string, names: readonly string[]): Record<string, unknown> {
  const members = jsonMembers(text, new Set(names))
  // Texts have no digits to keep.
  const parse = (json: string) => (json.startsWith('"') ? JSON.parse(json) : parseJson(json))
  return Object.fromEntries([...members].map(([name, json]) => [name, parse(json)]))
}

/**
 * Parses a record whose long texts are shown in small parts. A long text without escapes is the same in JSON, so it is
 * not copied. Only its end and lost blocks, which are full of zeros, are checked.
 */
export function storedTexts(text: string): Record<string, unknown> {
  if (text.length < LONG_RECORD) return storedJson(text)
  return parseStored(text, () => aroundLongText(text) ?? memberByMember(text)) as Record<string, unknown>
}

function memberByMember(text: string): Record<string, unknown> {
  const members = [...jsonMembers(text)]
  return Object.fromEntries(members.map(([name, json]) => [name, plainText(json) ?? JSON.parse(json)]))
}

/** Stands for the long text. No text of a record without escapes is the same, because JSON has no plain NUL. */
const [STAND_IN, STAND_IN_JSON] = ['\0long', '"\\u0000long"']

/**
 * Most large records have one long text and no escapes. Then the rest is parsed at once, which takes a fifth of the time.
 * Undefined if the record is different.
 */
function aroundLongText(text: string): Record<string, unknown> | undefined {
  if (text.includes('\\') || text.includes('\0')) return
  let [start, end] = [text.indexOf('"'), 0]
  for (; start >= 0; start = text.indexOf('"', end + 1)) {
    end = text.indexOf('"', start + 1)
    if (end < 0) return
    if (end - start > LONG_RECORD) break
  }
  if (start < 0) return
  const rest = text.slice(0, start) + STAND_IN_JSON + text.slice(end + 1)
  if (rest.length > LONG_RECORD) return
  const members: unknown = JSON.parse(rest)
  if (typeof members !== 'object' || members === null) return
  const name = Object.keys(members).find((key) => (members as Record<string, unknown>)[key] === STAND_IN)
  // Otherwise the text is inside another value, or it is a name.
  if (name === undefined) return
  const long = { value: text.slice(start + 1, end), writable: true, enumerable: true, configurable: true }
  return Object.defineProperty(members, name, long) as Record<string, unknown>
}

function plainText(json: string): string | undefined {
  const isPlain = json.length >= LONG_RECORD && json.startsWith('"') && !json.includes('\\') && !json.includes('\0')
  return isPlain ? json.slice(1, -1) : undefined
}

function parseStored(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch {
    throw damaged()
  }
}
