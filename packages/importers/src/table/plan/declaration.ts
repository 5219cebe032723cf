import type { SourceDeclaration, StreamDeclaration } from '@pdpp/protocol'
import type { Reading } from '../infer/values.ts'
import type { FilePlace } from './file-place.ts'
import type { PlannedColumn, TablePlan } from './table-plan.ts'

/** Member of the declaration's `extensions` that stores how to read the source's files. */
export const EXTENSION = 'pdpp:import'

export interface KeptColumn {
  readonly column: string
  readonly field: string
  readonly reading: Reading
}

export interface KeptTable {
  readonly table: string
  readonly columns: readonly KeptColumn[]
  /** Fields whose content makes the key, if no column can be the key. */
  readonly content?: readonly string[] | undefined
  /**
   * Part of every key that is made from content, and known to the owner only. Without it, a client could guess the
   * fields that its grant hides, and compare the key. Streams of earlier versions have none, and keep their keys.
   */
  readonly secret?: string | undefined
  /** False if the owner said that the first row of these files is data. */
  readonly header?: boolean | undefined
  /** Hashes of the sets of columns that were seen in files of this stream. */
  readonly shapes?: readonly string[] | undefined
}

export interface KeptImport {
  readonly importer: 'tabular'
  /** The common part of the files' names. Sources of earlier versions only have their key. */
  readonly base?: string | undefined
  /** The folder that the first file was in. */
  readonly folder?: string | undefined
  readonly streams: Readonly<Record<string, KeptTable>>
}

const COMPARE = ['gte', 'gt', 'lte', 'lt'] as const

export function declareSource(
  connectorKey: string,
  displayName: string,
  plans: readonly TablePlan[],
  place: FilePlace,
): SourceDeclaration {
  const kept: KeptImport = {
    importer: 'tabular',
    base: place.base,
    folder: place.folder,
    streams: Object.fromEntries(plans.map((plan) => [plan.stream, keep(plan)])),
  }
  return {
    protocol_version: '0.1.0',
    source: { kind: 'connector', id: `urn:pdpp:import:${connectorKey}` },
    connector_key: connectorKey,
    declaration_version: '1',
    display: { name: displayName.slice(0, 200) },
    sensitivity: 'standard',
    streams: plans.map(declareStream),
    extensions: { [EXTENSION]: kept },
  }
}

export function keep({ table, columns, content, secret, shape, header }: TablePlan): KeptTable {
  return {
    table,
    columns: columns.map(({ column, field, reading }) => ({ column, field, reading })),
    ...(content ? { content, secret } : {}),
    ...(header === undefined ? {} : { header }),
    shapes: [shape],
  }
}

export function declareStream(plan: TablePlan): StreamDeclaration {
  const { stream, key, time, content } = plan
  const made = content ? { [key[0]!]: { type: 'string', description: 'Made from the content of the row' } } : {}
  const properties = Object.fromEntries(plan.columns.map((column) => [column.field, property(column, plan)]))
  return {
    name: stream,
    display: { label: stream },
    semantics: 'mutable_state',
    schema: { type: 'object', properties: { ...made, ...properties }, required: [...key] },
    primary_key: [...key],
    ...(time === undefined ? {} : { cursor_field: time, consent_time_field: time }),
    ...summary(plan),
    query: queryOf(plan),
  }
}

/** Only the key is required, because the next file may have empty cells in any other column. */
export function property({ column, field, reading }: PlannedColumn, plan: Pick<TablePlan, 'key'> & Partial<TablePlan>) {
  const role =
    field === plan.title
      ? 'primary-title'
      : field === plan.time
        ? 'event-time'
        : field === plan.actor
          ? 'actor'
          : field === plan.amount
            ? 'amount'
            : undefined
  const base = jsonType(reading)
  return {
    ...(base.type === undefined ? {} : { ...base, type: plan.key.includes(field) ? base.type : [base.type, 'null'] }),
    ...(column === field ? {} : { description: `Column "${column.slice(0, 200)}"` }),
    ...(field === plan.actor ? { x_pdpp_type: 'person' } : {}),
    ...(reading.unit === undefined ? {} : { x_pdpp_type: 'currency', x_pdpp_unit: reading.unit }),
    ...(role === undefined ? {} : { x_pdpp_role: role }),
  }
}

function jsonType({ as }: Reading): { type?: string; format?: string; contentEncoding?: string } {
  switch (as) {
    case 'date-time':
    case 'date':
      return { type: 'string', format: as }
    case 'binary':
      return { type: 'string', contentEncoding: 'base64' }
    case 'json':
      return {}
    default:
      return { type: as }
  }
}

function summary({ columns, key, title, time, actor, group }: TablePlan): Pick<StreamDeclaration, 'views'> {
  const fields = [...new Set([...key, title, actor, time, group].filter((name) => name !== undefined))]
  if (title === undefined || fields.length >= columns.length) return {}
  return { views: [{ id: 'summary', label: 'Summary', fields }] }
}

function queryOf(plan: TablePlan): NonNullable<StreamDeclaration['query']> {
  const times = plan.time === undefined ? [] : [plan.time]
  const ordered = [...times, ...plan.measures]
  const distinct = [...new Set([...plan.groupable, ...(plan.actor ? [plan.actor] : [])])]
  return {
    ...(ordered.length === 0 ? {} : { range_filters: Object.fromEntries(ordered.map((name) => [name, [...COMPARE]])) }),
    ...(plan.text.length === 0 ? {} : { search: { lexical_fields: [...plan.text] } }),
    aggregations: {
      count: true,
      ...(distinct.length === 0 ? {} : { count_distinct: distinct, group_by: distinct }),
      ...(times.length === 0 ? {} : { group_by_time: times }),
      ...(ordered.length === 0 ? {} : { min: ordered, max: ordered }),
      ...(plan.measures.length === 0 ? {} : { sum: [...plan.measures] }),
    },
    ...(plan.group === undefined ? {} : { group_field: plan.group }),
  }
}

/** How to read the files of a source. Undefined if no import created the source. */
export function keptImport(declaration: SourceDeclaration): KeptImport | undefined {
  const kept = declaration.extensions?.[EXTENSION] as KeptImport | undefined
  return kept?.importer === 'tabular' && kept.streams !== null && typeof kept.streams === 'object' ? kept : undefined
}

/**
 * The same declaration with the secrets that are stored by now. Another import may have stored the source after this
 * one was planned, and rows of both must get the same keys.
 */
export function withStoredSecrets(planned: SourceDeclaration, stored: SourceDeclaration): SourceDeclaration {
  const [own, known] = [keptImport(planned), keptImport(stored)]
  if (!own || !known) return planned
  const streams = Object.entries(own.streams).map(([name, { secret, ...table }]) => {
    const kept = known.streams[name] ? known.streams[name].secret : secret
    return [name, { ...table, ...(kept === undefined ? {} : { secret: kept }) }]
  })
  return {
    ...planned,
    extensions: { ...planned.extensions, [EXTENSION]: { ...own, streams: Object.fromEntries(streams) } },
  }
}
