import { FETCH_BLOB } from '../tools/fetch-blob/definition.ts'
import { LIST_STREAMS } from '../tools/list-streams/definition.ts'

/** The tools that this entrypoint lists in addition to those of the normal one. */
export const DEVELOPER_TOOLS = [LIST_STREAMS, FETCH_BLOB] as const
