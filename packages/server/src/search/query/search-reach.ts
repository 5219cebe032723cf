import { hash } from 'node:crypto'
import type { Warning } from '@pdpp/protocol'
import type { Authority } from '../../grants/authority.ts'
import { authoritiesFor } from '../../grants/packages/choose-member.ts'
import { visibleSources } from '../../grants/visible-sources.ts'
import type { Connection } from '../../sources/connections/connection-store.ts'
import type { SourceService } from '../../sources/declarations/source-service.ts'
import { requireGrantedNames, type SearchRequest, type SearchTargets, searchTargets } from './search-targets.ts'

/** The streams that a request searches, and the names that its answer needs. */
export interface SearchReach extends SearchTargets {
  /** Connections by id, used in labels. */
  readonly names: ReadonlyMap<string, Connection>
  /** A digest of the search fields. A cursor expires if it changes. */
  readonly fields: Buffer
}

type KeptReach = SearchReach & { readonly warnings: readonly Warning[] }

/**
 * Finds the streams that requests search. All requests of one authority that set no limits get the same object until
 * the next write.
 */
export class SearchReaches {
  readonly #sources: SourceService
  #kept: { readonly moment: object; readonly byAuthority: WeakMap<Authority, KeptReach> } = {
    moment: {},
    byAuthority: new WeakMap(),
  }

  constructor(sources: SourceService) {
    this.#sources = sources
  }

  async of(authority: Authority, request: SearchRequest, warnings: Warning[]): Promise<SearchReach> {
    const reach = await this.#find(authority, request)
    warnings.push(...reach.warnings)
    requireGrantedNames(reach.scopes, request.text)
    return reach
  }

  async #find(authority: Authority, request: SearchRequest): Promise<KeptReach> {
    if (isLimited(request)) return this.#read(authority, request)
    const moment = await this.#sources.moment(authority.subjectId)
    if (this.#kept.moment !== moment) this.#kept = { moment, byAuthority: new WeakMap() }
    const { byAuthority } = this.#kept
    const known = byAuthority.get(authority)
    if (known) return known
    const reach = await this.#read(authority, request)
    // Caches the result only if nothing was written meanwhile, because reading takes several turns of the event loop.
    if ((await this.#sources.moment(authority.subjectId)) === moment) byAuthority.set(authority, reach)
    return reach
  }

  async #read(authority: Authority, request: SearchRequest): Promise<KeptReach> {
    const sources = await visibleSources(this.#sources, authoritiesFor(authority, request.connectionId))
    const warnings: Warning[] = []
    const found = searchTargets(authority, sources, request, warnings)
    const connections = sources.flatMap(({ named }) => named)
    return {
      ...found,
      ...{ warnings, fields: fieldsDigest(found) },
      names: new Map(connections.map((connection) => [connection.connectionId, connection])),
    }
  }
}

const isLimited = ({ streams, connectionId, filters, since, until }: SearchRequest): boolean =>
  filters.length > 0 || (streams ?? connectionId ?? since ?? until) !== undefined

/** Bytes of the digest of the search fields. */
const DIGEST_BYTES = 4

function fieldsDigest({ targets }: SearchTargets): Buffer {
  const fields = targets.map(({ scope, fields }) => [scope.connectorKey, scope.stream.name, fields])
  return hash('sha256', JSON.stringify(fields), 'buffer').subarray(0, DIGEST_BYTES)
}
