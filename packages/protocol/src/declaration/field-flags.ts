/** One capability of a field in `/v1/schema`. Other servers may omit members. */
export interface CapabilityFlag {
  readonly declared?: boolean
  readonly usable?: boolean
  readonly reason?: string
  readonly operators?: readonly string[]
}

export interface FieldFacts {
  readonly type?: string
  readonly role?: string
  readonly granted?: boolean
  readonly exact_filter?: CapabilityFlag
  readonly range_filter?: CapabilityFlag
  readonly sort?: CapabilityFlag
  readonly lexical_search?: CapabilityFlag
  readonly semantic_search?: CapabilityFlag
  readonly aggregation?: Readonly<Record<string, CapabilityFlag>>
}

/**
 * Short form of a field's capabilities, such as `t=date-time,role=event-time,s` or `t=string,g=false`. Separators
 * inside values are replaced, because the source chooses roles and types.
 */
export function flagString(field: FieldFacts): string {
  const tokens: string[] = []
  if (field.type !== undefined) tokens.push(`t=${clean(field.type)}`)
  if (field.role !== undefined) tokens.push(`role=${clean(field.role)}`)
  if (field.granted === false) tokens.push('g=false')
  if (field.exact_filter?.usable) tokens.push('eq')
  if (field.range_filter?.usable) tokens.push(rangeToken(field.range_filter.operators))
  if (field.sort?.usable) tokens.push('s')
  if (field.lexical_search?.usable) tokens.push('lex')
  if (field.semantic_search?.usable) tokens.push('sem')
  const uses = Object.entries(field.aggregation ?? {}).filter(([, flag]) => flag.usable)
  if (uses.length > 0) tokens.push(`a=${uses.map(([name]) => clean(name)).join('|')}`)
  return tokens.join(',') || 'declared'
}

/** Names no parameters, because REST queries and tool calls have different ones. */
export const FLAG_LEGEND = {
  t: 'type; date-time is RFC 3339 text with a zone',
  role: 'what the source says the field is for',
  'g=false': 'declared, but outside this grant',
  eq: 'can be filtered by an exact value',
  r: 'can be filtered by a range, with the operators named',
  s: 'can be sorted by: field, or -field for the largest or newest first',
  lex: 'searched by words',
  a: 'what aggregate can do with it',
} as const

function rangeToken(operators: readonly string[] = []): string {
  return operators.length === 0 ? 'r' : `r=${operators.map(clean).join('|')}`
}

const clean = (text: string): string => text.replace(/[;,[\]{}=\s]/g, '_').slice(0, 60)
