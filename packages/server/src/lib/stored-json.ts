import { parseJson } from '@pdpp/protocol'
import { damaged } from './store-fault.ts'

/** A text that a store wrote as JSON. Where it is none any more, its page was damaged in a way that the page does not show. */
export function storedJson<T>(text: string): T {
  return parsed(text, JSON.parse) as T
}

/** The same, with every digit of its numbers. */
export function storedRecord(text: string): Record<string, unknown> {
  return parsed(text, parseJson) as Record<string, unknown>
}

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch {
    throw damaged()
  }
}
