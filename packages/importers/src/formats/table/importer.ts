import type { SourceDeclaration } from '@pdpp/protocol'
import type {
  Importer,
  ImportInput,
  ImportItem,
  ImportOverrides,
  ImportPlan,
  ImportProblem,
  PlannedStream,
  ReadTally,
} from '../../importer.ts'
import type { ImportNotice } from '../../notice.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { ImportRefusal } from '../../refusal.ts'
import { legalName } from '../../table/infer/column-names.ts'
import { MAX_COLUMNS, sampleTables, type TableSample } from '../../table/infer/sample.ts'
import { declareSource, declareStream, keep, keptImport, withStoredSecrets } from '../../table/plan/declaration.ts'
import { type FilePlace, placeOf } from '../../table/plan/file-place.ts'
import { extendStream, findSource, findStream, keptHeader, updateSource } from '../../table/plan/known-source.ts'
import { plannedStream } from '../../table/plan/planned-stream.ts'
import { planTable, streamName, tableNotices } from '../../table/plan/table-plan.ts'
import type { TableFormat } from '../../table/row.ts'
import { RowRecords } from '../../table/row-record.ts'
import { delimited } from './csv/delimited.ts'
import { jsonFile } from './json/file.ts'
import { jsonLines } from './json/lines.ts'
import { sqliteTables } from './sqlite-tables.ts'

const FORMATS: readonly TableFormat[] = [sqliteTables, jsonLines, jsonFile, delimited]
/** Max. tables listed in a refusal. */
const NAMED_TABLES = 40

/** Imports all files with rows: CSV, TSV, JSON, JSON Lines, SQLite databases. */
export const tabular: Importer = {
  id: 'tabular',

  name: 'Tables',
  kind: 'tables',
  reads: 'CSV, TSV, JSON, JSON Lines and SQLite databases',

  async detect({ input, head }) {
    const format = FORMATS.find((each) => each.matches(input, head))
    return format && { format: format.id, inputs: [input] }
  },

  async streams({ inputs }, overrides, known) {
    const plans: ImportPlan[] = []
    for (const input of inputs) {
      // A file may belong to a source that an earlier file of this import creates.
      const planned = plans.map((plan) => plan.declaration)
      const before = known.filter((source) => !planned.some((each) => each.connector_key === source.connector_key))
      plans.push(await planInput(input, overrides, [...before, ...latest(planned)]))
    }
    return plans
  },

  settle: withStoredSecrets,

  async *read(plan, tally) {
    for (const input of plan.inputs) yield* failuresAsProblems(rowsOf(input, plan, tally), input)
  },
}

async function* rowsOf(
  input: ImportInput,
  { declaration, streamByTable }: ImportPlan,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const kept = keptImport(declaration)!
  const format = await requireFormat(input)
  const readers = new Map(
    Object.entries(streamByTable).map(([table, name]) => {
      const stream = declaration.streams.find((each) => each.name === name)!
      return [table, new RowRecords(stream, kept.streams[name]!, format.textual, tally)]
    }),
  )
  const { header } = kept.streams[streamByTable[''] ?? ''] ?? {}
  for await (const item of format.rows(input, () => {}, Object.keys(streamByTable), header)) {
    if ('problem' in item) {
      const { kept: isKept, place } = item.problem
      // A problem with a row means that the row was seen and not imported.
      const kind =
        isKept || place.row === undefined ? undefined : (streamByTable[place.table ?? ''] ?? place.table ?? 'rows')
      if (kind !== undefined) tally.saw(kind)
      yield { problem: { ...item.problem, kind } }
      continue
    }
    const { table } = item.row
    const reader = readers.get(table)
    tally.saw(streamByTable[table] ?? table)
    if (reader) yield* reader.read(item.row, input.name)
    else tally.leftOut(table, 'not in the plan')
  }
}

async function formatOf(input: ImportInput): Promise<TableFormat | undefined> {
  const head = await headOf(input)
  return FORMATS.find((format) => format.matches(input, head))
}

async function requireFormat(input: ImportInput): Promise<TableFormat> {
  const format = await formatOf(input)
  if (format) return format
  throw new ImportRefusal('file_changed', { file: input.name })
}

/** The last declaration of each source. */
const latest = (declarations: readonly SourceDeclaration[]): SourceDeclaration[] => [
  ...new Map(declarations.map((source) => [source.connector_key, source])).values(),
]

async function planInput(
  input: ImportInput,
  given: ImportOverrides,
  known: readonly SourceDeclaration[],
): Promise<ImportPlan> {
  const format = await requireFormat(input)
  const place = placeOf(input.name)
  const overrides = { ...given, header: given.header ?? keptHeader(known, place, given) }
  const notices: ImportNotice[] = []
  const { samples, problem } = await sampleTables(input, format, overrides, (text) => notices.push(text))
  await refuseUnusable(input, format, samples, problem, overrides)
  for (const { columns, table } of samples)
    if (columns.length === MAX_COLUMNS)
      notices.push(`${table || input.name} has ${MAX_COLUMNS} columns or more; those beyond are left out.`)
  const source = findSource(known, samples, overrides, place)
  const plan = source
    ? continueSource(source, samples, overrides, format, place)
    : newSource(samples, overrides, format, freeName(place, known, overrides), place)
  return { inputs: [input], format: format.id, ...plan, notices: [...notices, ...plan.notices] }
}

async function refuseUnusable(
  input: ImportInput,
  format: TableFormat,
  samples: readonly TableSample[],
  problem: ImportProblem | undefined,
  { tables, stream, ...overrides }: ImportOverrides,
): Promise<void> {
  if (samples.length === 0) {
    const described = ((await format.describe?.(input)) ?? []).map(({ table }) => table)
    throw new ImportRefusal('no_rows', {
      file: input.name,
      format: format.id,
      problem: problem?.reason,
      wanted: tables ?? [],
      tables: described.slice(0, NAMED_TABLES),
    })
  }
  const perTable = stream ?? overrides.key ?? overrides.time ?? overrides.text ?? overrides.title ?? overrides.types
  if (samples.length > 1 && perTable !== undefined)
    throw new ImportRefusal(
      'several_tables',
      { file: input.name, tables: samples.slice(0, NAMED_TABLES).map(({ table }) => table) },
      'table',
    )
}

type PlanParts = Omit<ImportPlan, 'inputs' | 'format'>

function newSource(
  samples: readonly TableSample[],
  overrides: ImportOverrides,
  format: TableFormat,
  connectorKey: string,
  place: FilePlace,
): PlanParts {
  const names = new Set<string>()
  const planned = samples.map((sample) => {
    const stream = unusedName(overrides.stream ?? streamName(sample.table, connectorKey), names)
    names.add(stream)
    return { sample, plan: planTable(sample, stream, overrides, format.textual) }
  })
  const plans = planned.map(({ plan }) => plan)
  const declaration = declareSource(connectorKey, place.base, plans, place)
  return {
    declaration,
    match: 'new',
    changes: [],
    streamByTable: Object.fromEntries(plans.map((plan) => [plan.table, plan.stream])),
    streams: planned.map(({ plan, sample }, at) => plannedStream(declaration.streams[at]!, keep(plan), sample, format)),
    notices: tableNotices(plans),
  }
}

function continueSource(
  source: SourceDeclaration,
  samples: readonly TableSample[],
  overrides: ImportOverrides,
  format: TableFormat,
  place: FilePlace,
): PlanParts {
  const kept = keptImport(source)!
  const taken = new Set(source.streams.map((stream) => stream.name))
  const parts = samples.map((sample) => {
    const own = overrides.stream ?? streamName(sample.table, legalName(overrides.source ?? place.base, 'import'))
    const stream = findStream(source, sample, overrides)
    if (stream) {
      const plan = planTable(
        sample,
        stream.name,
        {
          zone: overrides.zone ?? overrides.ownZone,
          header: overrides.header,
          types: newTypes(overrides, kept.streams[stream.name]!),
        },
        format.textual,
      )
      return {
        sample,
        notices: [],
        ...extendStream(stream, kept.streams[stream.name]!, plan, sample, overrides, format.textual),
      }
    }
    const plan = planTable(sample, unusedName(own, taken), overrides, format.textual)
    taken.add(plan.stream)
    return {
      sample,
      stream: declareStream(plan),
      kept: keep(plan),
      changes: [`new stream "${plan.stream}"`],
      notices: tableNotices([plan]),
    }
  })
  const changes = parts.flatMap((part) => part.changes)
  return {
    declaration: updateSource(source, parts),
    match: changes.length > 0 ? 'extended' : 'same',
    changes,
    streamByTable: Object.fromEntries(parts.map((part) => [part.sample.table, part.stream.name])),
    streams: parts.map((part): PlannedStream => plannedStream(part.stream, part.kept, part.sample, format)),
    notices: parts.flatMap((part) => part.notices),
  }
}

/** Types that the owner chose for new columns. Types of known columns are checked elsewhere. */
function newTypes({ types }: ImportOverrides, { columns }: { columns: readonly { column: string; field: string }[] }) {
  const fresh = Object.entries(types ?? {}).filter(
    ([name]) => !columns.some(({ column, field }) => column === name || field === name),
  )
  return fresh.length === 0 ? undefined : Object.fromEntries(fresh)
}

/**
 * The name of the file, unless another source has it. Later files find the source by its columns, so the name does not
 * matter to them.
 */
function freeName(place: FilePlace, known: readonly SourceDeclaration[], { source }: ImportOverrides): string {
  if (source !== undefined) return legalName(source, 'import')
  const taken = new Set(known.map(({ connector_key: key }) => key))
  const name = legalName(place.base, 'import')
  const folder = legalName(place.folder.split('/').at(-1) ?? '', '')
  return taken.has(name) && folder !== ''
    ? unusedName(legalName(`${folder}-${name}`, name), taken)
    : unusedName(name, taken)
}

function unusedName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name}-${count}`
  return free
}
