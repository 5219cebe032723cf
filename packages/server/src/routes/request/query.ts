import { PAGE_BYTES, PAGE_LIMIT, PdppError, RESULT_PAGE_BYTES, type Warning } from '@pdpp/protocol'
import type { ExpandRequest } from '../../records/expand/relation.ts'
import type { FilterParameter } from '../../records/filter.ts'
import { requestTarget } from './request-target.ts'

const MAX_FILTERS = 20

interface Parameters {
  readonly accepted: ReadonlySet<string>
  readonly families: ReadonlySet<string>
}

/** Cached, because a route uses the same list for all its requests. */
const parameters = new WeakMap<readonly string[], Parameters>()

function parametersOf(known: readonly string[]): Parameters {
  const found = parameters.get(known)
  if (found) return found
  const families = known.filter((name) => /\[\w+\]$/.test(name)).map((name) => name.split('[')[0]!)
  const made = { accepted: new Set([...known, 'connector_instance_id']), families: new Set(families) }
  parameters.set(known, made)
  return made
}

/** A request's parameters. Unknown ones are refused, so that a misspelt filter cannot cause a wider answer. */
export class Query {
  readonly warnings: Warning[] = []
  readonly #params: URLSearchParams
  /** The values of each parameter. */
  readonly #values: ReadonlyMap<string, readonly string[]>
  /** Path and query as sent, for `links.self`. */
  readonly self: string
  readonly path: string

  constructor(url: string, known: readonly string[]) {
    const { path, search, params } = requestTarget(url)
    this.#params = params
    this.path = path
    this.self = path + search
    this.#values = valuesOf(params)
    if (params.size === 0) return
    const { accepted, families } = parametersOf(known)
    for (const name of this.#values.keys()) {
      // Only `filter[…]` and `expand_limit[…]` take a name in brackets. `streams[0]` would be silently ignored.
      if (accepted.has(name) || families.has(name.split('[')[0]!)) continue
      throw unknownParameter(name, known)
    }
  }

  /** True if the parameter was sent in any form: `name`, `name[]`, `name[key]`. */
  has(name: string): boolean {
    for (const key of this.#values.keys()) if (key === name || key.startsWith(`${name}[`)) return true
    return false
  }

  text(name: string): string | undefined {
    const values = this.#values.get(name)
    if (values === undefined) return
    if (values.length > 1) throw invalid(name, `${name} may be given only once.`)
    if (values[0] === '') throw invalid(name, `${name} must not be empty.`)
    return values[0]
  }

  required(name: string): string {
    const value = this.text(name)
    if (value === undefined)
      throw new PdppError('invalid_request', `The parameter ${name} is required.`, { param: name })
    return value
  }

  /** The values of `name=a,b`, of `name=a&name=b`, or of a mixture. */
  list(name: string): string[] | undefined {
    const values = this.#values.get(name)
    if (values === undefined) return
    const items = values.flatMap((value) => value.split(',')).map((item) => item.trim())
    if (items.some((item) => item === '')) throw invalid(name, `${name} must be a list of names, separated by commas.`)
    return items
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.text(name)
    if (value === undefined || (choices as readonly string[]).includes(value)) return value as T | undefined
    throw invalid(name, `${name} must be one of ${choices.join(', ')}.`)
  }

  integer(name: string, range: { min: number; max?: number }): number | undefined {
    const value = this.text(name)
    if (value === undefined) return
    const number = Number(value)
    const fits = /^-?\d{1,15}$/.test(value) && number >= range.min && number <= (range.max ?? Number.MAX_SAFE_INTEGER)
    if (fits) return number
    const limits = range.max === undefined ? `of at least ${range.min}` : `from ${range.min} to ${range.max}`
    throw invalid(name, `${name} must be a whole number ${limits}.`)
  }

  /** The values of `filter[field]=v` and `filter[field][gte]=v`, for routes that accept `filter[field]`. */
  get filters(): FilterParameter[] {
    const filters: FilterParameter[] = []
    if (!this.has('filter')) return filters
    for (const [name, value] of this.#params) {
      if (!name.startsWith('filter')) continue
      const match = /^filter\[([^\]]+)\](?:\[([^\]]+)\])?$/.exec(name)
      if (!match)
        throw new PdppError('invalid_filter', 'Write filter[field]=value or filter[field][gte]=value.', {
          param: 'filter',
        })
      filters.push({ field: match[1]!, operator: match[2] ?? 'eq', value, param: name })
    }
    if (filters.length > MAX_FILTERS)
      throw new PdppError('invalid_filter', `A filter may have at most ${MAX_FILTERS} conditions.`, { param: 'filter' })
    return filters
  }

  get expand(): ExpandRequest {
    const names = [...(this.list('expand') ?? []), ...(this.list('expand[]') ?? [])]
    return { names, limits: this.keyed('expand_limit') }
  }

  /** The values of `name[key]=n`, such as `expand_limit[attachments]=3`, by key. */
  keyed(name: string): Map<string, string> {
    const values = new Map<string, string>()
    if (!this.has(name)) return values
    for (const [param, value] of this.#params) {
      if (!param.startsWith(name)) continue
      const key = /^\w+\[([^\]]+)\]$/.exec(param)?.[1]
      if (key === undefined || values.has(key))
        throw invalid(name, `Write ${name}[relation]=number, once for each relation.`)
      values.set(key, value)
    }
    return values
  }

  /** A number that is reduced to the maximum, with a warning, if it is larger. */
  clamped(name: string, range: { min: number; max: number; default: number }): number {
    const value = this.integer(name, { min: range.min })
    if (value === undefined) return range.default
    if (value <= range.max) return value
    this.warnings.push({
      code: 'limit_clamped',
      message: `${name} was reduced from ${value} to ${range.max}, the largest value.`,
      param: name,
      detail: { max_limit: range.max, requested_limit: value },
    })
    return range.max
  }

  get limit(): number {
    return this.clamped('limit', { min: 1, ...PAGE_LIMIT })
  }

  get maxBytes(): number {
    return this.clamped('max_bytes', PAGE_BYTES)
  }

  /**
   * Max. bytes of the tool result that an adapter makes from the page. The limit applies to its text and to its
   * structured output separately.
   */
  get resultBytes(): number | undefined {
    return this.has('result_bytes') ? this.clamped('result_bytes', RESULT_PAGE_BYTES) : undefined
  }

  /** Accepts the deprecated alias too, with a warning. */
  get connectionId(): string | undefined {
    const [id, alias] = [this.text('connection_id'), this.text('connector_instance_id')]
    if (alias === undefined) return id
    if (id !== undefined && id !== alias)
      throw invalid('connector_instance_id', 'connection_id and connector_instance_id name different connections.')
    this.warnings.push({
      code: 'deprecated_alias_used',
      message: 'Use connection_id instead of connector_instance_id.',
      param: 'connector_instance_id',
    })
    return alias
  }

  /** The path of this request with changed parameters; null removes one. */
  link(changes: Record<string, string | null>): string {
    if (!Object.keys(changes).some((name) => this.#values.has(name))) return this.#longer(changes)
    const params = new URLSearchParams(this.#params)
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) params.delete(name)
      else params.set(name, value)
    }
    return `${this.path}?${params}`
  }

  /** Adds parameters that the request did not have. Copying the others would take longer than writing them. */
  #longer(changes: Record<string, string | null>): string {
    const added = Object.entries(changes).filter((change): change is [string, string] => change[1] !== null)
    const before = this.#params.size === 0 ? '' : `${this.#params}&`
    return `${this.path}?${before}${new URLSearchParams(added)}`
  }
}

function valuesOf(params: URLSearchParams): ReadonlyMap<string, readonly string[]> {
  if (params.size === 0) return NO_VALUES
  const values = new Map<string, string[]>()
  params.forEach((value, name) => {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  })
  return values
}

const NO_VALUES: ReadonlyMap<string, readonly string[]> = new Map()

function unknownParameter(name: string, known: readonly string[]): PdppError {
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name
  return new PdppError(
    'invalid_request',
    `There is no parameter "${shown}" here. Parameters: ${known.join(', ') || '(none)'}.`,
    { param: shown },
  )
}

function invalid(param: string, message: string): PdppError {
  return new PdppError('invalid_argument', message, { param })
}
