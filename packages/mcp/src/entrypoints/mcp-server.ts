import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { callTool, hasTool } from '../calling/call-tool.ts'
import type { AnyEntrypoint, Entrypoint } from '../calling/entrypoint.ts'
import type { ResourceServer } from '../resource-server/resource-server.ts'
import type { Identity } from './identity.ts'
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
export function mcpServer<Resources extends ResourceServer>(
  entrypoint: Entrypoint<Resources>,
  resources: Resources,
  identity: Identity,
): Server {
  const { definitions, instructions } = entrypoint
  const server = new Server(identity, {
    capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    instructions,
    cacheHints,
  })
  server.setRequestHandler('tools/list', () => ({ tools: definitions as never }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    if (!hasTool(entrypoint, params.name)) throw unknownTool(params.name, definitions)
    return (await callTool(entrypoint, resources, params.name, params.arguments, mcpReq.signal)) as never
  })
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }))
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    const found = await readResource(entrypoint, resources, params.uri, mcpReq.signal)
    if (!found) throw new ResourceNotFoundError(params.uri)
    return { contents: [{ ...found }] }
  })
  return server
}

function unknownTool(name: string, definitions: AnyEntrypoint['definitions']): ProtocolError {
  const listed = definitions.map((tool) => tool.name).join(', ')
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${shown}". Tools here: ${listed}.`)
}
