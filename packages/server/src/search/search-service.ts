import { type Count, type CursorSealer, PdppError, type Warning } from '@pdpp/protocol'
import { type Authority, accessIdOf } from '../grants/authority.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { RowPage } from '../records/paging/row-page.ts'
import type { Connection } from '../sources/connections/connection-store.ts'
import type { SourceService } from '../sources/declarations/source-service.ts'
import { INDEXED_UNITS } from './analysis/analyser.ts'
import { SearchReaches } from './query/search-reach.ts'
import type { SearchRequest } from './query/search-targets.ts'
import { packRank, unpackRank } from './ranking/packed-rank.ts'
import type { RankPosition } from './ranking/scoring/top-ranks.ts'
import {
  type FoundRecord,
  type LongField,
  MAX_COUNTED,
  type SearchedStream,
  type SearchOutcome,
  type SearchReader,
} from './search-store.ts'

/** The stores that this service needs. */
export interface SearchStores {
  readonly search: SearchReader
}

export interface SearchAnswer {
  readonly outcome: SearchOutcome
  readonly targets: readonly SearchedStream[]
  readonly rowPage: RowPage<FoundRecord>
  /** Connections by id, used in labels. */
  readonly names: ReadonlyMap<string, Connection>
}

const CUT: Warning = {
  code: 'partial_results',
  message:
    'The query is too long. Only its first 4,096 characters and 48 words count, and 12 each of phrases, exclusions and field terms.',
  param: 'q',
}

const MAX_NAMED = 5

const MAX_WARNINGS = 8

/** Hundreds of streams may be skipped for the same reason. Lists the first warnings and counts the others. */
function boundWarnings(warnings: Warning[]): void {
  if (warnings.length <= MAX_WARNINGS) return
  const [first, ...others] = warnings.splice(MAX_WARNINGS - 1)
  warnings.push({ code: first!.code, message: `${others.length + 1} more warnings like these are left out.` })
}

/** Warns that the end of very long texts is not searched, because an agent may rely on an empty result. */
function partialIndex(long: readonly LongField[]): Warning {
  const names = [...new Set(long.map(({ stream, field }) => `${field} of ${stream}`))]
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const listed = names.slice(0, MAX_NAMED)
  return {
    code: 'partial_index',
    message: `Text after the first ${INDEXED_UNITS.toLocaleString('en-US')} characters is not searched: ${listed.join(', ')}${more}.`,
    detail: { fields: long.slice(0, MAX_NAMED) },
  }
}

export class SearchService {
  readonly #stores: SearchStores
  readonly #reaches: SearchReaches
  readonly #cursors: CursorSealer

  constructor(storage: SearchStores, sources: SourceService, cursors: CursorSealer) {
    this.#stores = storage
    this.#reaches = new SearchReaches(sources)
    this.#cursors = cursors
  }

  async search(
    authority: Authority,
    request: SearchRequest,
    warnings: Warning[],
    signal?: RequestSignal,
  ): Promise<SearchAnswer> {
    const { targets, names, fields: declared } = await this.#reaches.of(authority, request, warnings)
    const binding = cursorBinding(authority, request)
    const after = request.cursor === undefined ? undefined : this.#openCursor(binding, request.cursor, declared)
    const { text, limit, highlight } = request
    const page = { text, limit, after, ...(highlight === undefined ? {} : { highlight }) }
    const outcome = await this.#stores.search.search(targets, page, signal)
    if (outcome.isCut) warnings.push(CUT)
    if (outcome.longFields.length > 0) warnings.unshift(partialIndex(outcome.longFields))
    boundWarnings(warnings)
    return {
      outcome,
      targets,
      names,
      rowPage: {
        rows: shownOnce(outcome.found),
        hasMore: outcome.hasMore,
        cursorAfter: ({ position }) => this.#sealCursor(binding, position, declared),
      },
    }
  }

  #sealCursor(binding: string, position: RankPosition, declared: Buffer): string {
    const packed = Buffer.from(packRank(position), 'base64url')
    return this.#cursors.sealBytes(binding, Buffer.concat([declared, packed]))
  }

  /** Later writes do not expire a cursor, because it is a position in an order. A change of the search fields does. */
  #openCursor(binding: string, cursor: string, declared: Buffer): RankPosition {
    const opened = this.#cursors.openBytes(binding, cursor)
    const [known, packed] = [opened.subarray(0, declared.length), opened.subarray(declared.length)]
    if (!known.equals(declared))
      throw new PdppError('cursor_expired', 'The search fields changed since that page.', { param: 'cursor' })
    return unpackRank(packed.toString('base64url'))
  }
}

/** Leaves out the text of a neighbour that the page already shows above, as a hit or as a neighbour. Keeps its id. */
function shownOnce(found: readonly FoundRecord[]): FoundRecord[] {
  const shown = new Set<string>()
  return found.map((hit) => {
    const { target, number, context } = hit
    shown.add(`${target} ${number}`)
    if (!context) return hit
    const neighbour = `${target} ${context.number}`
    const isShown = shown.has(neighbour)
    shown.add(neighbour)
    return isShown ? { ...hit, context: { ...context, preview: undefined } } : hit
  })
}

/**
 * The number of matches. If requested as exact, it is always exact. Otherwise it is exact up to a limit, and above that
 * a lower bound.
 */
export function countOf(kind: Count['kind'], { total }: SearchOutcome): Count {
  if (kind === 'none') return { kind }
  if (kind === 'exact' || total <= MAX_COUNTED) return { kind: 'exact', value: total }
  return { kind: 'lower_bound', value: MAX_COUNTED }
}

function cursorBinding(authority: Authority, request: SearchRequest): string {
  const { text, streams = null, connectionId = null, filters, since = null, until = null } = request
  const conditions = filters.map(({ field, operator, value }) => [field, operator, value])
  return JSON.stringify([
    'search',
    authority.subjectId,
    accessIdOf(authority),
    text,
    streams,
    connectionId,
    conditions,
    since,
    until,
  ])
}
