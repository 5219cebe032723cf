import { declaredFields, type StreamDeclaration } from '@pdpp/protocol'
import type { PlannedField, PlannedStream } from '../../importer.ts'
import type { TableSample } from '../infer/sample.ts'
import type { TableFormat } from '../row.ts'
import { RowRecords } from '../row-record.ts'
import type { KeptTable } from './declaration.ts'

const EXAMPLES = 3
/** Words for the types of fields in a plan. */
const KIND_WORDS: Record<string, string> = {
  string: 'text',
  'date-time': 'date and time',
  integer: 'whole number',
  boolean: 'yes or no',
  binary: 'bytes',
}

/** What the owner sees before anything is written: the fields with their uses, and the first records. */
export function plannedStream(
  stream: StreamDeclaration,
  kept: KeptTable,
  sample: TableSample,
  format: TableFormat,
): PlannedStream {
  const records = new RowRecords(stream, kept, format.textual)
  const examples: Readonly<Record<string, unknown>>[] = []
  const filled = new Map<string, number>()
  for (const [at, values] of sample.rows.entries()) {
    for (const item of records.read({ table: sample.table, row: at + 1, values }, '')) {
      if (!('record' in item)) continue
      const { data } = item.record
      if (examples.length < EXAMPLES) examples.push(data)
      for (const [name, value] of Object.entries(data))
        if (value !== null) filled.set(name, (filled.get(name) ?? 0) + 1)
    }
  }
  return {
    name: stream.name,
    sampled: sample.rows.length,
    complete: sample.complete,
    expected: sample.described?.rows,
    fields: describeFields(stream, filled),
    examples,
  }
}

export function describeFields(stream: StreamDeclaration, filled: ReadonlyMap<string, number>): PlannedField[] {
  const properties = stream.schema['properties'] as Record<string, Record<string, unknown>>
  return [...declaredFields(stream)].map(([name, kind]) => ({
    name,
    type: KIND_WORDS[kind] ?? kind,
    uses: usesOf(stream, name, Object.hasOwn(properties, name) ? properties[name]! : {}),
    filled: filled.get(name) ?? 0,
  }))
}

function usesOf(stream: StreamDeclaration, name: string, property: Record<string, unknown>): string[] {
  const role = property['x_pdpp_role']
  return [
    stream.primary_key.includes(name) ? 'key' : '',
    stream.consent_time_field === name ? 'time' : '',
    role === 'primary-title' ? 'title' : '',
    role === 'actor' ? 'who' : '',
    stream.query?.group_field === name ? 'conversation' : '',
    stream.query?.search?.lexical_fields?.includes(name) ? 'searched' : '',
    stream.query?.aggregations?.group_by?.includes(name) ? 'countable' : '',
    stream.query?.aggregations?.sum?.includes(name) ? 'summable' : '',
  ].filter((use) => use !== '')
}
