import type { Entrypoint } from '../calling/entrypoint.ts'
import { fetchBlob } from '../tools/fetch-blob/fetch-blob.ts'
import { listStreams } from '../tools/list-streams/list-streams.ts'
import { DEVELOPER_TOOLS } from './developer-definitions.ts'
import { DEVELOPER_INSTRUCTIONS } from './instructions/developer.ts'
import { NORMAL } from './normal.ts'

/** For developers: the normal tools, unchanged, and tools that map to single routes of `/v1` (003.8.3). */
export const DEVELOPER: Entrypoint = {
  name: 'pdpp-mcp-server-developer',
  title: 'PDPP for developers: personal data, read-only',
  instructions: DEVELOPER_INSTRUCTIONS,
  definitions: [...NORMAL.definitions, ...DEVELOPER_TOOLS],
  tools: { ...NORMAL.tools, list_streams: listStreams, fetch_blob: fetchBlob },
  surface: 'stdio-developer',
}
