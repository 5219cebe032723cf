import { PdppError } from '@pdpp/protocol/reading'
import type { ServerFeatures } from '../../resource-server/server-features.ts'

export interface SearchRoute {
  readonly path: string
  readonly query: readonly [string, string][]
}

/** The route of a search mode. Throws if the server does not advertise the mode. */
export function searchRoute(mode: unknown, { searchModes }: ServerFeatures): SearchRoute {
  if (mode === undefined || mode === 'lexical') return { path: '/v1/search', query: [] }
  const route = searchModes.get(String(mode))
  if (route) return route
  const others = [...searchModes.keys()].filter((name) => name !== 'lexical')
  const message = `This server has no search of the mode "${String(mode)}". It has: ${['lexical', ...others].join(', ')}.`
  throw new PdppError('unsupported_search_mode', message, {
    param: 'mode',
    nextStep: 'Call search without mode: it searches by words.',
  })
}

/**
 * The search modes in a server's metadata: a list for `/v1/search` or, in other implementations, one capability with its
 * own endpoint per mode.
 */
export function advertisedModes(metadata: unknown): ReadonlyMap<string, SearchRoute> {
  const { capabilities, pdpp_discovery_hints: hints } = object(metadata)
  const listed = object(object(hints)['search'])['modes']
  const shared = (Array.isArray(listed) ? listed : [])
    .filter((mode) => typeof mode === 'string')
    .map((mode): [string, SearchRoute] => [mode, { path: '/v1/search', query: [['mode', mode]] }])
  const separate = ['semantic', 'hybrid'].flatMap((mode): [string, SearchRoute][] => {
    const { supported, endpoint } = object(object(capabilities)[`${mode}_retrieval`])
    // Accept only paths below /v1 of this server.
    const known = supported === true && typeof endpoint === 'string' && /^\/v1\/[a-z/_-]+$/.test(endpoint)
    return known ? [[mode, { path: endpoint, query: [] }]] : []
  })
  return new Map([...separate, ...shared])
}

const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
