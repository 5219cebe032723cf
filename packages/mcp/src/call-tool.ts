import { checkArguments } from './arguments.ts'
import type { ToolName } from './definitions.ts'
import { failureResult } from './failure.ts'
import type { ResourceServer } from './resource-server/resource-server.ts'
import type { ToolResult } from './result.ts'
import type { Tool } from './tool.ts'
import { aggregate } from './tools/aggregate.ts'
import { fetchDocument } from './tools/fetch.ts'
import { queryRecords } from './tools/query-records.ts'
import { readRecordField } from './tools/read-record-field.ts'
import { schema } from './tools/schema.ts'
import { search } from './tools/search.ts'

const TOOLS: Record<ToolName, Tool> = {
  schema,
  query_records: queryRecords,
  aggregate,
  search,
  fetch: fetchDocument,
  read_record_field: readRecordField,
}

export function isTool(name: unknown): name is ToolName {
  return typeof name === 'string' && Object.hasOwn(TOOLS, name)
}

/** The one way into a tool, for every transport. It never throws: a model can act on a result only. */
export async function callTool(
  server: ResourceServer,
  tool: ToolName,
  given: unknown,
  signal?: AbortSignal,
): Promise<ToolResult> {
  try {
    return await TOOLS[tool]({ server, tool, args: checkArguments(tool, given), signal })
  } catch (error) {
    return failureResult(error)
  }
}
