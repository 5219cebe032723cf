import { parseJson } from '@pdpp/protocol/reading'
import { damaged } from './store-fault.ts'

/** Parses JSON that the store wrote. If it is invalid, the file is damaged although its pages look intact. */
export function storedJson<T>(text: string): T {
  return parseStored(text, JSON.parse) as T
}

/** Parses a record and keeps every digit of its numbers. */
export function storedRecord(text: string): Record<string, unknown> {
  return parseStored(text, parseJson) as Record<string, unknown>
}

function parseStored(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch {
    throw damaged()
  }
}
