import { PdppError } from '@pdpp/protocol/reading'
import type { SearchRoute } from '../../resource-server/search-modes.ts'
import type { ServerFeatures } from '../../resource-server/server-features.ts'

/** The route of a search mode. Throws if the server does not advertise the mode. */
export function searchRoute(mode: unknown, { searchModes }: ServerFeatures): SearchRoute {
  if (mode === undefined || mode === 'lexical') return { path: '/v1/search', query: [] }
  const route = searchModes.get(String(mode))
  if (route) return route
  const others = [...searchModes.keys()].filter((name) => name !== 'lexical')
  const message = `This server has no search mode "${String(mode)}". It has: ${['lexical', ...others].join(', ')}.`
  throw new PdppError('unsupported_search_mode', message, { param: 'mode' })
}
