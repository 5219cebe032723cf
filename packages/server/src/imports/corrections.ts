import { FORCED_TYPES, isTimeZone, mergedStreams, type PlannedField } from '@pdpp/importers'
import { isName, NAME_RULE, PdppError } from '@pdpp/protocol'
import type { SourceOverrides } from './import.ts'
import type { SourcePlan } from './plan-file.ts'

/** The values of the form of one source. Fields and tables are numbered as on the page. */
export interface Corrections {
  readonly source: string
  readonly connection: string
  readonly stream: string | undefined
  readonly zone: string
  /** True if the first row of the table is data, not names. */
  readonly headless: boolean
  readonly tables: readonly number[]
  readonly key: readonly number[]
  readonly time: number | undefined
  readonly title: number | undefined
  readonly text: readonly number[]
  readonly types: Readonly<Record<number, string>>
}

/**
 * Makes overrides from the values that differ from the plan on the page, and keeps earlier overrides. Everything else
 * stays inferred.
 */
export function overridesFrom(
  corrections: Corrections,
  { source, plans }: SourcePlan,
  before: SourceOverrides,
): SourceOverrides {
  const named = (what: 'source' | 'connection' | 'stream', value: string | undefined) => {
    if (value === undefined || value === '' || isName(value)) return value || undefined
    throw new PdppError('invalid_argument', `The ${what} must be ${NAME_RULE}.`, { param: what })
  }
  if (corrections.zone !== '' && !isTimeZone(corrections.zone))
    throw new PdppError('invalid_argument', `"${corrections.zone}" is not a time zone.`, {
      param: 'zone',
      nextStep: 'Write a name such as Europe/Berlin or America/New_York.',
    })
  const streams = mergedStreams(plans.flatMap((plan) => plan.streams))
  const sourceName = named('source', corrections.source)
  const common: SourceOverrides = {
    source: sourceName === source ? before.source : sourceName,
    connection: named('connection', corrections.connection),
    zone: corrections.zone || undefined,
  }
  const tables = [...new Set(plans.flatMap(({ streamByTable }) => Object.keys(streamByTable)))]
  if (plans[0]!.importer !== 'tabular')
    return clean({ ...common, zone: plans.some(({ zone }) => zone !== undefined) ? common.zone : undefined })
  if (tables.length > 1) {
    const chosen = corrections.tables.map((at) => tables[at]).filter((name) => name !== undefined)
    return clean({ ...common, tables: chosen.length === tables.length ? before.tables : chosen })
  }
  const { fields, name } = streams[0]!
  const stream = named('stream', corrections.stream)
  return clean({
    ...common,
    tables: before.tables,
    stream: stream === name ? before.stream : stream,
    header: corrections.headless ? false : undefined,
    ...fieldOverrides(corrections, fields, before),
  })
}

function fieldOverrides(said: Corrections, fields: readonly PlannedField[], before: SourceOverrides): SourceOverrides {
  const names = (numbers: readonly number[]) => numbers.flatMap((at) => fields[at]?.name ?? [])
  const shown = (use: string) => fields.filter(({ uses }) => uses.includes(use)).map(({ name }) => name)
  const several = (wish: readonly string[], use: string, had: readonly string[] | undefined) =>
    wish.length === 0 ? undefined : wish.join('\n') === shown(use).join('\n') ? had : wish
  const one = (wish: number | undefined, use: string, had: string | undefined) => {
    const name = wish === undefined ? undefined : fields[wish]?.name
    return name === undefined || name === shown(use)[0] ? had : name
  }
  const types = Object.entries(said.types).flatMap(([at, type]): [string, string][] => {
    const field = fields[Number(at)]
    return field && (FORCED_TYPES as readonly string[]).includes(type) ? [[field.name, type]] : []
  })
  return {
    key: several(names(said.key), 'key', before.key),
    time: one(said.time, 'time', before.time),
    title: one(said.title, 'title', before.title),
    text: several(names(said.text), 'searched', before.text),
    types: types.length === 0 ? undefined : Object.fromEntries(types),
  }
}

const clean = (overrides: SourceOverrides): SourceOverrides =>
  Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined))
