import type { SourceDeclaration, StreamDeclaration } from '@pdpp/protocol'
import type { ImportOverrides } from '../../importer.ts'
import { readTime, type TimeForm } from '../../reading/times.ts'
import { ImportRefusal, type OverrideName } from '../../refusal.ts'
import { excerpt } from '../excerpt.ts'
import { fieldName } from '../infer/column-names.ts'
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
import { type FilePlace, sameFolder, sameKind, shapeOf } from './file-place.ts'
import { type PlannedColumn, requireField, type TablePlan } from './table-plan.ts'

/** Min. share of the columns of a file that a stream must know. */
const MIN_KNOWN_SHARE = 0.5
/** If more than this share of values does not fit, the file has another kind of data. */
const MAX_UNFIT_SHARE = 0.5
/** Max. sets of columns remembered per stream. */
const MAX_SHAPES = 500

/**
 * How well a table fits a stream: 2 if the stream had exactly these columns before, otherwise the share of its columns
 * that the stream has. A new column in a stream never lowers the fit of any table, so a file always goes to the same
 * stream as before.
 */
function fitOf(sample: TableSample, stream: StreamDeclaration, kept: KeptTable): number {
  if (kept.shapes?.includes(shapeOf(sample.columns))) return 2
  const known = new Set(kept.columns.map(({ column }) => column))
  const key = stream.primary_key.map((field) => kept.columns.find((column) => column.field === field)?.column ?? field)
  if (kept.content === undefined && key.some((column) => !sample.columns.includes(column))) return 0
  const share = sample.columns.filter((column) => known.has(column)).length / Math.max(1, sample.columns.length)
  return share >= MIN_KNOWN_SHARE ? share : 0
}

/**
 * The source that a file belongs to: the one that the owner chose, or one with the same name and columns. A file that
 * is only similar to others becomes a new source.
 */
export function findSource(
  known: readonly SourceDeclaration[],
  samples: readonly TableSample[],
  overrides: ImportOverrides,
  place: FilePlace,
): SourceDeclaration | undefined {
  if (overrides.source !== undefined) {
    const named = known.find((source) => source.connector_key === overrides.source)
    if (named && !keptImport(named))
      throw new ImportRefusal('source_not_of_tables', { source: overrides.source }, 'source')
    return named
  }
  const scored = known
    .map((source) => ({ source, score: sourceScore(source, samples, place) }))
    .filter(({ score }) => score > 0)
  const order = (a: string, b: string) => (a < b ? -1 : 1)
  return scored.toSorted((a, b) => b.score - a.score || order(a.source.connector_key, b.source.connector_key))[0]
    ?.source
}

/**
 * The owner's answer whether the first row of earlier files with this name is data. The answer applies to later files,
 * too.
 */
export function keptHeader(
  known: readonly SourceDeclaration[],
  { base }: FilePlace,
  { source: chosenSource }: ImportOverrides,
): boolean | undefined {
  const own = known.filter(({ connector_key: key }) => sameKind(chosenSource ?? base, key)).map(keptImport)
  return own.flatMap((kept) => Object.values(kept?.streams ?? {})).find(({ header }) => header !== undefined)?.header
}

function sourceScore(source: SourceDeclaration, samples: readonly TableSample[], place: FilePlace): number {
  const kept = keptImport(source)
  // The owner may have given the source another name than its files have.
  const names = [kept?.base ?? source.connector_key, source.connector_key]
  if (!kept || !names.some((name) => sameKind(name, place.base))) return 0
  const fits = samples.map((sample) => {
    const stream = bestStream(source, kept, sample)
    if (!stream) return 0
    const isElsewhere = !sameFolder(kept.folder ?? '', place.folder)
    return isElsewhere && isNumbered(stream, kept.streams[stream.name]!)
      ? 0
      : fitOf(sample, stream, kept.streams[stream.name]!)
  })
  const score = fits.reduce((sum, fit) => sum + fit, 0) / Math.max(1, fits.length)
  // If two sources fit equally well, the one in the same folder wins.
  return score >= MIN_KNOWN_SHARE ? score + (kept.folder === place.folder ? 0.1 : 0) : 0
}

/** True if the key is the row's number within one file. In another folder the same number means another row. */
function isNumbered({ primary_key: key }: StreamDeclaration, { columns }: KeptTable): boolean {
  const readings = key.map((field) => columns.find((column) => column.field === field)?.reading.as)
  return readings.length > 0 && readings.every((as) => as === 'integer')
}

function bestStream(source: SourceDeclaration, kept: KeptImport, sample: TableSample): StreamDeclaration | undefined {
  const scored = source.streams
    .filter(({ name }) => kept.streams[name]?.table === sample.table)
    .map((stream) => ({ stream, fit: fitOf(sample, stream, kept.streams[stream.name]!) }))
    .filter(({ fit }) => fit > 0)
  return scored.toSorted((a, b) => b.fit - a.fit)[0]?.stream
}

/** The stream of a known source that a table belongs to. */
export function findStream(
  source: SourceDeclaration,
  sample: TableSample,
  overrides: ImportOverrides,
): StreamDeclaration | undefined {
  const kept = keptImport(source)!
  if (overrides.stream !== undefined)
    return source.streams.find(({ name }) => name === overrides.stream && kept.streams[name] !== undefined)
  return bestStream(source, kept, sample)
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
    kept: {
      ...kept,
      columns: [...kept.columns, ...keep({ ...plan, columns: fresh }).columns],
      shapes: [...new Set([...(kept.shapes ?? []), plan.shape])].slice(0, MAX_SHAPES),
    },
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

/** Changes the time, the title or the searched fields. Nothing else may change when a stream has records. */
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

/** Gives a role to one field and removes it from all others. */
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

/** Forms in which a time can lack a zone. */
const LOCAL_FORMS = new Set(['ymd', 'dmy', 'mdy', 'named'])

function refuseMisfit(
  known: StreamDeclaration,
  kept: KeptTable,
  sample: TableSample,
  overrides: ImportOverrides,
  textual: boolean,
): void {
  const byName = (name: string) => kept.columns.find(({ field, column }) => field === name || column === name)
  const chosenKey = overrides.key?.map((name) => byName(name)?.field ?? name)
  if (chosenKey && chosenKey.join() !== known.primary_key.join())
    throw new ImportRefusal('key_is_fixed', { stream: known.name, key: known.primary_key }, 'key')
  for (const [name, type] of Object.entries(overrides.types ?? {})) {
    const reading = byName(name)?.reading
    if (reading && reading.as !== type && reading.form !== type && !(type === 'text' && reading.as === 'string'))
      throw new ImportRefusal('type_is_fixed', { column: name, as: reading.as, stream: known.name }, 'type')
  }
  const zoned = kept.columns.find(({ column, reading: { as, form = 'iso', zone = 'UTC' } }) => {
    if (as !== 'date-time' || overrides.zone === undefined || zone === overrides.zone) return false
    return LOCAL_FORMS.has(form) && sample.rows.some((row) => Object.hasOwn(row, column) && isLocal(row[column], form))
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
    if (unfit.length <= values.length * MAX_UNFIT_SHARE) continue
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

/** True if the zone of the import would decide what this time means. */
function isLocal(value: unknown, form: TimeForm): boolean {
  const text = scalarText(value)
  return text !== undefined && readTime(form, text)?.local === true
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
