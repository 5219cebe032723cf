import type { StreamDeclaration } from '@pdpp/protocol'
import type { PlannedStream } from '../../importer.ts'
import { describeFields } from '../../planning/planned-fields.ts'
import type { TableSample } from '../infer/sample.ts'
import type { TableFormat } from '../row.ts'
import { RowRecords } from '../row-record.ts'
import type { KeptTable } from './declaration.ts'

const EXAMPLES = 3
/** The preview for the owner before anything is written: the fields with their uses, and the first records. */
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
