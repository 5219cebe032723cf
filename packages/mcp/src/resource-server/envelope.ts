import { isPlainJson, parseJson } from '@pdpp/protocol/reading'

/** A JSON object whose members are unknown. */
export type JsonObject = Record<string, unknown>

/** Common members of `/v1` answers, read leniently, because other servers omit members or use other shapes. */
export interface WarningNote {
  readonly code: string
  readonly message: string
}

export function warningsOf(body: Readonly<JsonObject>): WarningNote[] {
  const warnings = objectOf(body['meta'])['warnings']
  if (!Array.isArray(warnings)) return []
  return warnings.map((warning) => {
    const { code, message } = objectOf(warning)
    return { code: String(code ?? 'warning'), message: String(message ?? '') }
  })
}

/** For example `exact:410`. Undefined if nothing was counted. Other servers send a bare number. */
export function countOf(body: Readonly<JsonObject>): string | undefined {
  const count = objectOf(body['meta'])['count']
  if (typeof count === 'number') return `exact:${count}`
  const { kind, value } = objectOf(count)
  return typeof value === 'number' ? `${String(kind ?? 'exact')}:${value}` : undefined
}

/** The rows of a list, in any known shape: `data[]`, `data.results[]`, `data.data[]` (003.16). */
export function rowsOf(body: Readonly<JsonObject>): JsonObject[] {
  const { data } = body
  const inner = objectOf(data)
  const rows = [data, inner['results'], inner['data'], body['results']].find(Array.isArray) ?? []
  return rows.filter((row): row is JsonObject => typeof row === 'object' && row !== null)
}

export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

/** The objects of a list. Empty if the value is not a list. */
export const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.map(objectOf) : [])

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

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
