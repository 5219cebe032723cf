import { PdppError } from '@pdpp/protocol/reading'
import type { ServerFeatures } from '../../resource-server/server-features.ts'

export interface SearchRoute {
  readonly path: string
  readonly query: readonly [string, string][]
}

/** Where a search of this mode is asked for. Only what the server says it has is asked of it. */
export function searchRoute(mode: unknown, { searchModes }: ServerFeatures): SearchRoute {
  if (mode === undefined || mode === 'lexical') return { path: '/v1/search', query: [] }
  const route = searchModes.get(String(mode))
  if (route) return route
  const others = [...searchModes.keys()].filter((name) => name !== 'lexical')
  const message = `This server has no search mode "${String(mode)}". It has: ${['lexical', ...others].join(', ')}.`
  throw new PdppError('unsupported_search_mode', message, { param: 'mode' })
}

/**
 * Modes as the metadata of a server names them: a list that goes with `/v1/search`, or, in other implementations, a
 * capability of its own for each mode with an address of its own.
 */
export function advertisedModes(metadata: unknown): ReadonlyMap<string, SearchRoute> {
  const { capabilities, pdpp_discovery_hints: hints } = object(metadata)
  const listed = object(object(hints)['search'])['modes']
  const inOnePlace = (Array.isArray(listed) ? listed : [])
    .filter((mode) => typeof mode === 'string')
    .map((mode): [string, SearchRoute] => [mode, { path: '/v1/search', query: [['mode', mode]] }])
  const apart = ['semantic', 'hybrid'].flatMap((mode): [string, SearchRoute][] => {
    const { supported, endpoint } = object(object(capabilities)[`${mode}_retrieval`])
    // A path below the reads of this server: nothing else is ever called.
    const known = supported === true && typeof endpoint === 'string' && /^\/v1\/[a-z/_-]+$/.test(endpoint)
    return known ? [[mode, { path: endpoint, query: [] }]] : []
  })
  return new Map([...apart, ...inOnePlace])
}

const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
