import { canonicalJson, type SourceDeclaration, type StreamDeclaration } from '@pdpp/protocol'
import type {
  Claim,
  ImportItem,
  ImportOverrides,
  ImportPlan,
  PlannedConnection,
  PlannedStream,
  ReadTally,
} from '../importer.ts'
import type { ImportNotice } from '../notice.ts'
import { ImportRefusal, type OverrideName } from '../refusal.ts'
import { describeFields } from './planned-fields.ts'

const SAMPLED_RECORDS = 50
/** Max. items read for the sample. An export may have thousands of items of one kind before the first of another. */
const SAMPLED_ITEMS = 500
const EXAMPLES = 3

/** A claim of an importer that has its own declaration. */
export interface FixedSource {
  readonly claim: Claim
  readonly declaration: SourceDeclaration
  readonly connection?: PlannedConnection | undefined
  /** The zone of times without one; undefined if every time has one. */
  readonly zone?: string | undefined
  readonly notices?: readonly ImportNotice[] | undefined
  read(plan: ImportPlan, tally: ReadTally): AsyncIterable<ImportItem>
}

const NO_TALLY: ReadTally = { saw() {}, leftOut() {}, leftOutFile() {} }

/**
 * Makes the plan for streams that are known beforehand: samples the first records and compares the declaration with the
 * server's.
 */
export async function fixedPlan(
  { claim, declaration, connection, zone, notices = [], read }: FixedSource,
  overrides: ImportOverrides,
  known: readonly SourceDeclaration[],
): Promise<ImportPlan> {
  refuseTableOverrides(overrides)
  const named = overrides.source === undefined ? declaration : { ...declaration, connector_key: overrides.source }
  const before = knownSource(named, known)
  const same = before !== undefined && canonicalJson(before) === canonicalJson(named)
  const plan: ImportPlan = {
    inputs: claim.inputs,
    format: claim.format,
    streamByTable: {},
    declaration: named,
    connection,
    zone,
    match: before === undefined ? 'new' : same ? 'same' : 'extended',
    changes: before && !same ? [`the description of ${named.display.name} has a newer version`] : [],
    streams: [],
    notices,
  }
  if (zone === undefined) return { ...plan, streams: plannedStreams(plan, await sample(plan, read)) }
  // Reading in an unusual zone reveals times for which the file gives no zone. Most exports have no such times, or only
  // such times.
  const probe = await sample({ ...plan, zone: ODD_ZONE }, read)
  if (!hasOffset(probe, ODD_OFFSET)) return { ...plan, streams: plannedStreams(plan, probe) }
  const streams = plannedStreams(plan, await sample(plan, read))
  return { ...plan, streams, notices: [...notices, zoneNotice(zone, overrides)] }
}

const [ODD_ZONE, ODD_OFFSET] = ['Pacific/Kiritimati', '+14:00']

const hasOffset = ({ rows }: Sample, offset: string): boolean =>
  [...rows.values()]
    .flat()
    .some((row) =>
      Object.values(row).some((value) => typeof value === 'string' && value.length < 40 && value.endsWith(offset)),
    )

const zoneNotice = (zone: string, { zone: chosen }: ImportOverrides): ImportNotice => ({
  code: 'local_times',
  data: { zone, isChosen: chosen !== undefined },
})

function refuseTableOverrides({ source: _source, zone: _zone, ownZone: _ownZone, ...others }: ImportOverrides): void {
  const present = Object.entries(others).filter(([, value]) => value !== undefined)
  if (present.length === 0) return
  const overrides = present.map(([name]) => (name === 'types' ? 'type' : name === 'tables' ? 'table' : name))
  throw new ImportRefusal('fields_are_fixed', { overrides: overrides as OverrideName[] })
}

function knownSource(
  { connector_key: key, source: { id } }: SourceDeclaration,
  known: readonly SourceDeclaration[],
): SourceDeclaration | undefined {
  const found = known.find((source) => source.connector_key === key)
  if (found === undefined || found.source.id === id) return found
  throw new ImportRefusal('other_kind_of_source', { source: key }, 'source')
}

type Row = Readonly<Record<string, unknown>>

interface Sample {
  readonly rows: ReadonlyMap<string, readonly Row[]>
  readonly complete: boolean
}

async function sample(plan: ImportPlan, read: FixedSource['read']): Promise<Sample> {
  const { streams } = plan.declaration
  const rows = new Map<string, Row[]>(streams.map(({ name }) => [name, []]))
  let items = 0
  let complete = true
  for await (const item of read(plan, NO_TALLY)) {
    if ('record' in item) rows.get(item.record.stream)?.push(item.record.data)
    complete = ++items < SAMPLED_ITEMS && [...rows.values()].every((found) => found.length < SAMPLED_RECORDS)
    if (!complete) break
  }
  return { rows, complete }
}

const plannedStreams = ({ declaration }: ImportPlan, { rows, complete }: Sample): PlannedStream[] =>
  declaration.streams.map((stream) => planned(stream, rows.get(stream.name) ?? [], complete))

function planned(stream: StreamDeclaration, rows: readonly Row[], complete: boolean): PlannedStream {
  const filled = new Map<string, number>()
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (value !== null && !(Array.isArray(value) && value.length === 0)) filled.set(name, (filled.get(name) ?? 0) + 1)
  const fields = describeFields(stream, filled)
  return { name: stream.name, sampled: rows.length, complete, fields, examples: rows.slice(0, EXAMPLES) }
}
