import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import packageJson from '../../package.json' with { type: 'json' }
import { callTool, hasTool } from '../calling/call-tool.ts'
import type { AnyEntrypoint, Entrypoint } from '../calling/entrypoint.ts'
import type { ResourceServer } from '../resource-server/resource-server.ts'
import { readResource, resourceTemplates } from './resources.ts'

export interface Identity {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly icons?: { src: string; mimeType: string; sizes: string[] }[]
}

export const { version: VERSION } = packageJson

/** A hosted server has its icon at its own address (003.17). A local process has none. */
export function identity({ name, title }: AnyEntrypoint, origin?: string): Identity {
  const icons = [{ src: `${origin}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }]
  return { name, title, version: VERSION, ...(origin === undefined ? {} : { icons }) }
}

/** Anyone may cache these lists, because they are constant. Answers that depend on a grant are never cached. */
export const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const
const cacheHints = {
  'tools/list': LIST_CACHE,
  'server/discover': LIST_CACHE,
  'resources/list': LIST_CACHE,
  'resources/templates/list': LIST_CACHE,
} as const

/**
 * How a connection reports changed resources. In the 2026-07-28 revision the transport serves `subscriptions/listen`;
 * in earlier revisions the server accepts a subscription for each resource.
 */
export type ResourceSubscriptions =
  | 'listen'
  | { readonly add: (uri: string) => Promise<void>; readonly remove: (uri: string) => Promise<void> }

/**
 * One SDK server for one connection or one request, in either protocol era. Everything that it needs is created
 * beforehand.
 */
export function mcpServer<Resources extends ResourceServer>(
  entrypoint: Entrypoint<Resources>,
  resources: Resources,
  identity: Identity,
  subscriptions?: ResourceSubscriptions,
): Server {
  const { definitions, instructions } = entrypoint
  const subscribe = subscriptions === undefined ? {} : { subscribe: true }
  const server = new Server(identity, {
    capabilities: { tools: { listChanged: false }, resources: { listChanged: false, ...subscribe } },
    instructions,
    cacheHints,
  })
  server.setRequestHandler('tools/list', () => ({ tools: definitions as never }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    if (!hasTool(entrypoint, params.name)) throw unknownTool(params.name, definitions)
    return (await callTool(entrypoint, resources, params.name, params.arguments, mcpReq.signal)) as never
  })
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resourceTemplates(entrypoint) as never,
  }))
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    const found = await readResource(entrypoint, resources, params.uri, mcpReq.signal)
    if (!found) throw new ResourceNotFoundError(params.uri)
    return { contents: [{ ...found }] }
  })
  if (typeof subscriptions === 'object') {
    server.setRequestHandler('resources/subscribe', async ({ params }) => {
      await subscriptions.add(params.uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
      await subscriptions.remove(params.uri)
      return {}
    })
  }
  return server
}

function unknownTool(name: string, definitions: AnyEntrypoint['definitions']): ProtocolError {
  const listed = definitions.map((tool) => tool.name).join(', ')
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${shown}". Tools here: ${listed}.`)
}
