import type { Entrypoint } from '../calling/entrypoint.ts'
import type { Tool } from '../calling/tool.ts'
import { aggregate } from '../tools/aggregate/aggregate.ts'
import { fetchDocument } from '../tools/fetch/fetch.ts'
import { queryRecords } from '../tools/query-records/query-records.ts'
import { readRecordField } from '../tools/read-record-field/read-record-field.ts'
import { schema } from '../tools/schema/schema.ts'
import { search } from '../tools/search/search.ts'
import { TOOLS, type ToolName } from './definitions.ts'
import { INSTRUCTIONS } from './instructions/normal.ts'

const tools: Record<ToolName, Tool> = {
  schema,
  query_records: queryRecords,
  aggregate,
  search,
  fetch: fetchDocument,
  read_record_field: readRecordField,
}

/** The recommended entrypoint: `/mcp` and `pdpp-mcp-server`. */
export const NORMAL: Entrypoint = {
  name: 'pdpp-mcp-server',
  title: 'PDPP: personal data, read-only',
  instructions: INSTRUCTIONS,
  definitions: TOOLS,
  tools,
  listens: false,
  surface: 'stdio',
}
