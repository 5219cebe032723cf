import { AGGREGATE } from '../tools/aggregate/definition.ts'
import { FETCH } from '../tools/fetch/definition.ts'
import { QUERY_RECORDS } from '../tools/query-records/definition.ts'
import { READ_RECORD_FIELD } from '../tools/read-record-field/definition.ts'
import { SCHEMA } from '../tools/schema/definition.ts'
import { SEARCH } from '../tools/search/definition.ts'

/**
 * The answer of `tools/list` at the normal entrypoint: constant, in a fixed order, and never derived from data. Every
 * conversation pays for every byte, so each sentence is in one place, and cross-tool guidance is in the
 * instructions (004.2).
 */
export const TOOLS = [SCHEMA, QUERY_RECORDS, AGGREGATE, SEARCH, FETCH, READ_RECORD_FIELD] as const

export type ToolName = (typeof TOOLS)[number]['name']

export const TOOL_NAMES: readonly ToolName[] = TOOLS.map(({ name }) => name)
