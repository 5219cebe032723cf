// The requests of each surface. The recorded answer has the name of its request.
import { developerCalls } from './developer-calls.ts'
import { mcpCalls } from './mcp-calls.ts'
import { mcpRefusals } from './mcp-refusals.ts'
import { oddRequests } from './odd-requests.ts'
import type { Request } from './request.ts'
import { ownerRequests } from './rest-owner.ts'
import { restReads } from './rest-reads.ts'
import { restRefusals } from './rest-refusals.ts'
import { restSearches } from './rest-searches.ts'
import { stdioCalls } from './stdio-calls.ts'

export interface Surface {
  readonly name: string
  readonly file: string
  readonly over: 'http' | 'stdio'
  readonly requests: readonly Request[]
}

export const surfaces: readonly Surface[] = [
  { name: 'REST reads', file: 'rest-reads.txt', over: 'http', requests: restReads },
  { name: 'REST searches', file: 'rest-searches.txt', over: 'http', requests: restSearches },
  { name: 'REST refusals', file: 'rest-refusals.txt', over: 'http', requests: restRefusals },
  { name: 'owner and discovery answers', file: 'rest-owner.txt', over: 'http', requests: ownerRequests },
  { name: 'hosted MCP answers', file: 'mcp.txt', over: 'http', requests: mcpCalls },
  { name: 'hosted MCP refusals', file: 'mcp-refusals.txt', over: 'http', requests: mcpRefusals },
  { name: 'developer MCP answers', file: 'mcp-developer.txt', over: 'http', requests: developerCalls },
  { name: 'answers with odd data', file: 'odd-data.txt', over: 'http', requests: oddRequests },
  { name: 'stdio MCP answers', file: 'mcp-stdio.txt', over: 'stdio', requests: stdioCalls },
]
