import { isPlainJson, parseJson } from '@pdpp/protocol/reading'

/**
 * The JSON text that a body was parsed from. A tool that passes the body on unchanged sends this text, so that the
 * server's envelope is serialised once, by the server.
 */
const SOURCES = new WeakMap<object, { readonly text: string; isPlain: boolean | undefined }>()

/** Parses an answer and remembers its text. */
export function parseBody(text: string): unknown {
  const body = parseJson(text)
  return typeof body === 'object' && body !== null ? withSource(body, text) : body
}

/**
 * Does the same for a body that was never parsed: a server in this process has both the value and its text. It may know
 * whether something in the text has to be escaped.
 */
export function withSource(body: object, text: string, isPlain?: boolean): object {
  SOURCES.set(body, { text, isPlain })
  return body
}

/** The text of a body, if nothing in it has to be escaped for a model (point 42). It can be sent unchanged. */
export function plainSource(value: unknown): string | undefined {
  const source = typeof value === 'object' && value !== null ? SOURCES.get(value) : undefined
  if (!source) return
  source.isPlain ??= isPlainJson(source.text)
  return source.isPlain ? source.text : undefined
}
