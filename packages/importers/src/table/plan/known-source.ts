import type { SourceDeclaration, StreamDeclaration } from '@pdpp/protocol'
import type { ImportOverrides } from '../../importer.ts'
import { ImportRefusal, type OverrideName } from '../../refusal.ts'
import { excerpt } from '../excerpt.ts'
import { fieldName, legalName } from '../infer/column-names.ts'
import type { TableSample } from '../infer/sample.ts'
import { readValue, scalarText, UNFIT } from '../infer/values.ts'
import {
  EXTENSION,
  type KeptColumn,
  type KeptImport,
  type KeptTable,
  keep,
  keptImport,
  property,
} from './declaration.ts'
import { type PlannedColumn, requireField, type TablePlan } from './table-plan.ts'

const ENOUGH_IN_COMMON = 0.5
/** Above this share of values that do not fit, the file is of another kind. */
const TOO_MUCH_UNFIT = 0.5

/** How similar two sets of columns are: 1 if they are the same, 0 if they have nothing in common. */
function likeness(sample: TableSample, { columns }: KeptTable): number {
  const kept = new Set(columns.map(({ column }) => column))
  const shared = sample.columns.filter((column) => kept.has(column)).length
  if (shared === sample.columns.length && shared >= kept.size * ENOUGH_IN_COMMON) return shared === kept.size ? 1 : 0.9
  return shared / new Set([...kept, ...sample.columns]).size
}

/** The source that a file belongs to: the one the owner chose, or one with the same columns or name. */
export function findSource(
  known: readonly SourceDeclaration[],
  samples: readonly TableSample[],
  overrides: ImportOverrides,
  ownName: string,
): SourceDeclaration | undefined {
  if (overrides.source !== undefined) {
    const named = known.find((source) => source.connector_key === overrides.source)
    if (named && !keptImport(named))
      throw new ImportRefusal('source_not_of_tables', { source: overrides.source }, 'source')
    return named
  }
  const scored = known
    .map((source) => ({ source, score: sourceScore(source, samples, ownName) }))
    .filter(({ score }) => score > 0)
  return scored.toSorted((a, b) => b.score - a.score)[0]?.source
}

function sourceScore(source: SourceDeclaration, samples: readonly TableSample[], ownName: string): number {
  const kept = keptImport(source)
  if (!kept) return 0
  const best = samples.map((sample) => {
    const scored = Object.entries(kept.streams).map(([name, table]) => ({ name, score: likeness(sample, table) }))
    return scored.toSorted((a, b) => b.score - a.score)[0]!
  })
  const score = best.reduce((sum, each) => sum + each.score, 0) / Math.max(1, best.length)
  if (sameKind(source.connector_key, ownName)) return score >= ENOUGH_IN_COMMON ? score + 1 : 0
  return score >= 0.9 && best.every(({ name }) => !isNumbered(source, name, kept.streams[name]!)) ? score : 0
}

/** True if the key numbers the rows of one file, because the same number means another row in another file. */
function isNumbered({ streams }: SourceDeclaration, name: string, { columns }: KeptTable): boolean {
  const key = streams.find((stream) => stream.name === name)?.primary_key ?? []
  const readings = key.map((field) => columns.find((column) => column.field === field)?.reading.as)
  return readings.length > 0 && readings.every((as) => as === 'integer')
}

/** The stream of a known source that a table belongs to. */
export function findStream(
  source: SourceDeclaration,
  sample: TableSample,
  overrides: ImportOverrides,
  ownName: string,
): StreamDeclaration | undefined {
  const kept = keptImport(source)!
  const scored = source.streams
    .filter(({ name }) => kept.streams[name] && (overrides.stream === undefined || overrides.stream === name))
    .map((stream) => {
      const table = kept.streams[stream.name]!
      const named = stream.name === ownName || (sample.table !== '' && table.table === sample.table)
      return { stream, score: likeness(sample, table) + (named || overrides.stream ? 0.5 : 0) }
    })
    .filter(({ score }) => score >= 0.9)
  return scored.toSorted((a, b) => b.score - a.score)[0]?.stream
}

/** `orders-2026-02`, `Orders (1)` and `orders` are exports of one thing. */
export function sameKind(a: string, b: string): boolean {
  const bare = (name: string) =>
    legalName(name, '')
      .toLowerCase()
      .replace(/\d+|[^a-z]+|export|copy/g, '')
  return a === b || (bare(a) !== '' && bare(a) === bare(b))
}

export interface Extension {
  readonly stream: StreamDeclaration
  readonly kept: KeptTable
  readonly changes: readonly string[]
}

/** Adds new columns and the changes of the owner to a known stream. */
export function extendStream(
  known: StreamDeclaration,
  kept: KeptTable,
  plan: TablePlan,
  sample: TableSample,
  overrides: ImportOverrides,
  textual: boolean,
): Extension {
  refuseMisfit(known, kept, sample, overrides, textual)
  const before = new Set(kept.columns.map(({ column }) => column))
  const taken = new Set(Object.keys(known.schema['properties'] as object))
  const fresh = plan.columns
    .filter(({ column }) => !before.has(column))
    .map((column, at) => {
      const field = fieldName(column.column, at, taken)
      taken.add(field)
      return { ...column, inferred: column.field, field }
    })
  const stream = patchStream(withFields(known, fresh, plan), kept.columns, fresh, overrides)
  return {
    stream: stream.stream,
    kept: { ...kept, columns: [...kept.columns, ...keep({ ...plan, columns: fresh }).columns] },
    changes: [...fresh.map(({ field, reading }) => `new field "${field}" (${reading.as})`), ...stream.changes],
  }
}

function withFields(
  known: StreamDeclaration,
  fresh: readonly (PlannedColumn & { inferred: string })[],
  plan: TablePlan,
): StreamDeclaration {
  if (fresh.length === 0) return known
  const properties = Object.fromEntries(
    fresh.map((column) => [column.field, property(column, { key: known.primary_key })]),
  )
  const searched = fresh.filter(({ inferred }) => plan.text.includes(inferred)).map(({ field }) => field)
  const lexical = [...(known.query?.search?.lexical_fields ?? []), ...searched]
  return {
    ...known,
    schema: { ...known.schema, properties: { ...(known.schema['properties'] as object), ...properties } },
    query: {
      ...known.query,
      ...(lexical.length === 0 ? {} : { search: { ...known.query?.search, lexical_fields: lexical } }),
    },
  }
}

/** Changes the time, the title or the searched fields. Nothing else may change once a stream has records. */
function patchStream(
  stream: StreamDeclaration,
  kept: readonly KeptColumn[],
  fresh: readonly KeptColumn[],
  { time, text, title }: ImportOverrides,
): { stream: StreamDeclaration; changes: string[] } {
  const columns = [...kept, ...fresh] as PlannedColumn[]
  const field = (name: string, override: OverrideName) => requireField(columns, name, override).field
  const changes: string[] = []
  let next = stream
  if (time !== undefined && field(time, 'time') !== stream.consent_time_field) {
    const name = field(time, 'time')
    next = { ...withRole(next, name, 'event-time'), cursor_field: name, consent_time_field: name }
    changes.push(`"${name}" becomes the time of a record`)
  }
  if (title !== undefined) {
    const name = field(title, 'title')
    const titled = withRole(next, name, 'primary-title')
    if (titled !== next) changes.push(`"${name}" becomes the title`)
    next = titled
  }
  const searched = text?.map((name) => field(name, 'text'))
  if (searched && searched.join() !== (next.query?.search?.lexical_fields ?? []).join()) {
    next = { ...next, query: { ...next.query, search: { ...next.query?.search, lexical_fields: searched } } }
    changes.push(`searched are now ${searched.map((name) => `"${name}"`).join(', ')}`)
  }
  return { stream: next, changes }
}

/** Gives a role to one field and takes it from any other. */
function withRole(stream: StreamDeclaration, field: string, role: string): StreamDeclaration {
  const properties = stream.schema['properties'] as Record<string, Record<string, unknown>>
  if (properties[field]?.['x_pdpp_role'] === role) return stream
  const next = Object.fromEntries(
    Object.entries(properties).map(([name, { x_pdpp_role: had, ...rest }]) => {
      const has = name === field ? role : had === role ? undefined : had
      return [name, has === undefined ? rest : { ...rest, x_pdpp_role: has }]
    }),
  )
  return { ...stream, schema: { ...stream.schema, properties: next } }
}

/** Forms whose texts can be without a zone. */
const LOCAL_FORMS = new Set(['ymd', 'dmy', 'mdy', 'named'])

function refuseMisfit(
  known: StreamDeclaration,
  kept: KeptTable,
  sample: TableSample,
  overrides: ImportOverrides,
  textual: boolean,
): void {
  const byName = (name: string) => kept.columns.find(({ field, column }) => field === name || column === name)
  const wished = overrides.key?.map((name) => byName(name)?.field ?? name)
  if (wished && wished.join() !== known.primary_key.join())
    throw new ImportRefusal('key_is_fixed', { stream: known.name, key: known.primary_key }, 'key')
  for (const [name, type] of Object.entries(overrides.types ?? {})) {
    const reading = byName(name)?.reading
    if (reading && reading.as !== type && reading.form !== type && !(type === 'text' && reading.as === 'string'))
      throw new ImportRefusal('type_is_fixed', { column: name, as: reading.as, stream: known.name }, 'type')
  }
  const zoned = kept.columns.find(({ reading: { as, form = 'iso', zone = 'UTC' } }) => {
    return as === 'date-time' && LOCAL_FORMS.has(form) && overrides.zone !== undefined && zone !== overrides.zone
  })
  if (zoned)
    throw new ImportRefusal(
      'zone_is_fixed',
      { field: zoned.field, zone: zoned.reading.zone ?? 'UTC', stream: known.name },
      'zone',
    )
  if (kept.content === undefined) {
    const missing = known.primary_key.filter((name) => !sample.columns.includes(byName(name)?.column ?? name))
    if (missing.length > 0) throw new ImportRefusal('key_is_missing', { stream: known.name, key: missing })
  }
  for (const { column, field, reading } of kept.columns) {
    const values = sample.rows
      .map((row) => (Object.hasOwn(row, column) ? row[column] : undefined))
      .filter((value) => value != null && value !== '')
    const unfit = values.filter((value) => readValue(value, reading, textual) === UNFIT)
    if (unfit.length <= values.length * TOO_MUCH_UNFIT) continue
    throw new ImportRefusal('values_do_not_fit', {
      field,
      as: reading.as,
      stream: known.name,
      unfit: unfit.length,
      values: values.length,
      example: excerpt(scalarText(unfit[0]) ?? JSON.stringify(unfit[0])),
    })
  }
}

/** Replaces and adds streams of a known source. */
export function updateSource(
  source: SourceDeclaration,
  updated: readonly { stream: StreamDeclaration; kept: KeptTable }[],
): SourceDeclaration {
  const kept = keptImport(source)!
  const replaced = source.streams.map(
    (stream) => updated.find((each) => each.stream.name === stream.name)?.stream ?? stream,
  )
  const added = updated.filter((each) => !source.streams.some(({ name }) => name === each.stream.name))
  const next: KeptImport = {
    ...kept,
    streams: { ...kept.streams, ...Object.fromEntries(updated.map((each) => [each.stream.name, each.kept])) },
  }
  return {
    ...source,
    streams: [...replaced, ...added.map(({ stream }) => stream)],
    extensions: { ...source.extensions, [EXTENSION]: next },
  }
}
