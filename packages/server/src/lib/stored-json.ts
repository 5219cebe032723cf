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
  return parseStored(text, () => {
    const members = [...jsonMembers(text)]
    return Object.fromEntries(members.map(([name, json]) => [name, plainText(json) ?? JSON.parse(json)]))
  }) as Record<string, unknown>
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
