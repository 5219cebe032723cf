export interface SearchRoute {
  readonly path: string
  readonly query: readonly [string, string][]
}

/**
 * The search modes that a server's metadata names. Our server lists them for `/v1/search`; other implementations have a
 * separate capability and route for each mode.
 */
export function advertisedModes(metadata: unknown): ReadonlyMap<string, SearchRoute> {
  const { capabilities, pdpp_discovery_hints: hints } = object(metadata)
  const listed = object(object(hints)['search'])['modes']
  const inOnePlace = (Array.isArray(listed) ? listed : [])
    .filter((mode) => typeof mode === 'string')
    .map((mode): [string, SearchRoute] => [mode, { path: '/v1/search', query: [['mode', mode]] }])
  const apart = ['semantic', 'hybrid'].flatMap((mode): [string, SearchRoute][] => {
    const { supported, endpoint } = object(object(capabilities)[`${mode}_retrieval`])
    // Only paths below this server's reads are accepted, so that nothing else is ever called.
    const known = supported === true && typeof endpoint === 'string' && /^\/v1\/[a-z/_-]+$/.test(endpoint)
    return known ? [[mode, { path: endpoint, query: [] }]] : []
  })
  return new Map([...apart, ...inOnePlace])
}

const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
