import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { callTool, isTool } from './call-tool.ts'
import { TOOL_NAMES, TOOLS } from './definitions.ts'
import type { Identity } from './identity.ts'
import { INSTRUCTIONS } from './instructions.ts'
import type { ResourceServer } from './resource-server/resource-server.ts'
import { RESOURCE_TEMPLATES, readResource } from './resources.ts'

/** Constant lists may be kept by anybody; what a grant decides is never cached. */
export const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const
const cacheHints = {
  'tools/list': LIST_CACHE,
  'server/discover': LIST_CACHE,
  'resources/list': LIST_CACHE,
  'resources/templates/list': LIST_CACHE,
} as const

/** One SDK server for one connection or one request, in either protocol era. Everything it needs is made before. */
export function mcpServer(resources: ResourceServer, identity: Identity): Server {
  const server = new Server(identity, {
    capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    instructions: INSTRUCTIONS,
    cacheHints,
  })
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS as never }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    if (!isTool(params.name)) throw unknownTool(params.name)
    return (await callTool(resources, params.name, params.arguments, mcpReq.signal)) as never
  })
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }))
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    const found = await readResource(resources, params.uri, mcpReq.signal)
    if (!found) throw new ResourceNotFoundError(params.uri)
    return { contents: [{ ...found }] }
  })
  return server
}

function unknownTool(name: string): ProtocolError {
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool "${shown}". Tools here: ${TOOL_NAMES.join(', ')}.`,
  )
}
