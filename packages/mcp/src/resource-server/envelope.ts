/** Common members of `/v1` answers, read leniently, because other servers omit members or use other shapes. */
export interface WarningNote {
  readonly code: string
  readonly message: string
}

export function warningsOf(body: Readonly<Record<string, unknown>>): WarningNote[] {
  const warnings = objectOf(body['meta'])['warnings']
  if (!Array.isArray(warnings)) return []
  return warnings.map((warning) => {
    const { code, message } = objectOf(warning)
    return { code: String(code ?? 'warning'), message: String(message ?? '') }
  })
}

/** For example `exact:410`. Undefined if nothing was counted. Other servers send a bare number. */
export function countOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const count = objectOf(body['meta'])['count']
  if (typeof count === 'number') return `exact:${count}`
  const { kind, value } = objectOf(count)
  return typeof value === 'number' ? `${String(kind ?? 'exact')}:${value}` : undefined
}

/** The rows of a list, in any known shape: `data[]`, `data.results[]`, `data.data[]` (003.16). */
export function rowsOf(body: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const { data } = body
  const inner = objectOf(data)
  const rows = [data, inner['results'], inner['data'], body['results']].find(Array.isArray) ?? []
  return rows.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
}

export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
