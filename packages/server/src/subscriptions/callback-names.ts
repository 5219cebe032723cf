import { lookup, Resolver } from 'node:dns/promises'

/** Names that only the system can resolve: this machine, its network, and containers. */
const LOCAL = /^[^.]+$|\.(local|localhost|internal|lan|home\.arpa)$/i
const QUERY = { timeout: 2_000, tries: 2 }

/**
 * The addresses of a host that a client named. The system's resolver blocks one of four threads that file access needs,
 * too, so a slow name server could stop everything. Such queries therefore go to the name server directly.
 */
export async function resolveCallback(host: string): Promise<readonly string[]> {
  if (LOCAL.test(host)) return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
  const resolver = new Resolver(QUERY)
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}
