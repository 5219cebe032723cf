import { shortLine } from '../../rendering/safe-text.ts'
import type { SearchHit } from './search-hit.ts'

/** Max. sources listed by name. The others are only counted. */
const MAX_SOURCES = 8

interface Source {
  readonly hit: SearchHit
  hits: number
}

/** The sources of the hits: name and connector key of each connection, most hits first (000.6.1). */
export class SourceMix {
  readonly #sources: readonly Source[]

  constructor(hits: readonly SearchHit[]) {
    const sources = new Map<string, Source>()
    for (const hit of hits) {
      const key = hit.connectionId ?? `${hit.connectorKey} ${hit.displayName}`
      const known = sources.get(key)
      if (known) known.hits++
      else sources.set(key, { hit, hits: 1 })
    }
    this.#sources = [...sources.values()].sort((a, b) => b.hits - a.hits)
  }

  /** True if there are several sources. Then each hit names its own. */
  get isMixed(): boolean {
    return this.#sources.length > 1
  }

  get line(): string {
    if (!this.isMixed) return this.#sources.map(({ hit }) => `Source: ${this.#named(hit)}.`).join('')
    const named = this.#sources.slice(0, MAX_SOURCES)
    const others = this.#sources.slice(MAX_SOURCES)
    const rest = others.reduce((sum, { hits }) => sum + hits, 0)
    const list = named.map(({ hit, hits }) => `${this.#named(hit)} ${hits}`)
    return `Sources: ${[...list, ...(others.length > 0 ? [`${others.length} more ${others.length === 1 ? 'source' : 'sources'} ${rest}`] : [])].join(', ')}.`
  }

  /** Adds the connection id if two sources have the same name. */
  #named(hit: SearchHit): string {
    const name = sourceName(hit)
    const isShared = this.#sources.filter((other) => sourceName(other.hit) === name).length > 1
    const details = [hit.connectorKey, isShared ? hit.connectionId : undefined]
      .filter((part) => part !== undefined && part !== name)
      .map((part) => shortLine(part!, 100))
    return details.length === 0 ? name : `${name} (${details.join(', ')})`
  }
}

/** The name of the hit's source for people. */
export function sourceName({ displayName, connectionId, connectorKey }: SearchHit): string {
  return shortLine(displayName ?? connectionId ?? connectorKey ?? 'unknown source', 60)
}
