import { setImmediate } from 'node:timers/promises'
import { type Grant, PdppError } from '@pdpp/protocol'
import type { ReadAuthority } from '../../grants/authority.ts'
import { enforce } from '../../grants/enforce.ts'
import type { GrantService } from '../../grants/grant-service.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import { visibleSources } from '../../grants/visible-sources.ts'
import type { RecordService } from '../../records/record-service.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import type { SourceService } from '../../sources/declarations/source-service.ts'
import { type Choice, NOTHING, type SourceChoice, tickedStreams, wholeStreams } from './choice.ts'
import type { ConsentRequest } from './consent-service.ts'
import type { OfferedSource } from './offer.ts'
import { grantRequest, type Review, selectionOf } from './review.ts'

/** Sample records per stream. */
const SAMPLES = 3
/** Max. bytes of one stream's samples. A single larger record is still shown, with shortened values. */
const SAMPLE_BYTES = 64 * 1024
/** Time limit for counting, in milliseconds. Streams not counted by then show no number. */
const COUNT_MS = 1500
/** With more connections, a source is counted as a whole. */
const MAX_COUNTED_CONNECTIONS = 20

/** A stream as the client would see it. */
export interface StreamPreview {
  readonly scope: ReadScope
  readonly records: readonly ScopedRecord[]
}

export interface SourcePreview {
  /** Number of records of each stream and connection in the chosen days, by `countKey`. */
  readonly counts: ReadonlyMap<string, number>
  /** The chosen streams, or the streams that a tick would choose. */
  readonly streams: ReadonlyMap<string, StreamPreview>
  /** True if records were read. Otherwise `records` of all streams are empty. */
  readonly hasSamples: boolean
}

export type Preview = ReadonlyMap<string, SourcePreview>

/** Without a connection, the key of the whole stream, for sources with too many connections to count individually. */
const countKey = (stream: string, connectionId = ''): string => `${stream}/${connectionId}`

export interface PreviewServices {
  readonly grants: Pick<GrantService, 'draft'>
  readonly sources: SourceService
  readonly records: RecordService
}

export interface PreviewOptions {
  readonly request: ConsentRequest
  readonly choice: Choice
  readonly review: Review
  /** Sources to count. */
  readonly listed: readonly OfferedSource[]
  /** Keys of the sources whose sample records are read. */
  readonly sampled: ReadonlySet<string>
}

/** Reads real counts and records through the same scopes that the grants would have. */
export async function readPreview(
  services: PreviewServices,
  subjectId: string,
  { request, choice, review, listed, sampled }: PreviewOptions,
): Promise<Preview> {
  const deadline = Date.now() + COUNT_MS
  const chosen = new Map(review.grants.map(({ source, draft }) => [source.key, draft]))
  const draft = async (source: OfferedSource, wanted: SourceChoice) => {
    try {
      const selection = selectionOf(source, wanted, choice.back)
      return selection && (await services.grants.draft(subjectId, grantRequest(request, source, selection)))
    } catch (error) {
      if (error instanceof PdppError) return
      throw error
    }
  }
  const previews = new Map<string, SourcePreview>()
  for (const source of listed) {
    const days = choice.sources.get(source.key) ?? NOTHING
    const all = { ...NOTHING, from: days.from, to: days.to, connections: idsOf(source) }
    const whole = await draft(source, { ...all, streams: wholeStreams(source.streams) })
    const shown = chosen.get(source.key) ?? (await draft(source, { ...all, streams: tickedStreams(source) }))
    const counts = new Map<string, number>()
    for (const scope of await scopesOf(services.sources, subjectId, whole))
      await countInto(counts, services.records, scope, source, deadline)
    const hasSamples = sampled.has(source.key) && Date.now() <= deadline
    const streams = new Map<string, StreamPreview>()
    for (const scope of await scopesOf(services.sources, subjectId, shown)) {
      const many = !hasSamples
        ? undefined
        : await services.records.page(scope, { limit: SAMPLES, maxBytes: SAMPLE_BYTES })
      streams.set(scope.stream.name, { scope, records: many?.rows ?? [] })
      if (chosen.has(source.key) && idsOf(source).length > MAX_COUNTED_CONNECTIONS && Date.now() <= deadline)
        counts.set(countKey(scope.stream.name), (await services.records.count(scope, 'exact')).value!)
    }
    previews.set(source.key, { counts, streams, hasSamples })
    // Let other requests run between two sources.
    await setImmediate()
  }
  return previews
}

const idsOf = ({ connections }: OfferedSource) => connections.map(({ connectionId }) => connectionId)

async function countInto(
  counts: Map<string, number>,
  records: RecordService,
  scope: ReadScope,
  source: OfferedSource,
  deadline: number,
): Promise<void> {
  const isMany = source.connections.length > MAX_COUNTED_CONNECTIONS
  for (const id of isMany ? [undefined] : idsOf(source)) {
    if (Date.now() > deadline) return
    const key = countKey(scope.stream.name, id)
    if (id !== undefined && !scope.connections.includes(id)) counts.set(key, 0)
    else counts.set(key, (await records.count(scope, 'exact', id === undefined ? {} : { connectionId: id })).value!)
  }
}

/** The read scopes of a client with this grant, one per stream. */
async function scopesOf(sources: SourceService, subjectId: string, grant: Grant | undefined): Promise<ReadScope[]> {
  if (!grant) return []
  const authority: ReadAuthority = { kind: 'client', subjectId, clientId: grant.client.client_id, grant }
  const [source] = await visibleSources(sources, [authority])
  return source ? grant.streams.map(({ name }) => enforce(authority, source, name)) : []
}

/** Number of records of some streams and connections; undefined if one of them was not counted. */
export function countOf(
  { counts }: Pick<SourcePreview, 'counts'>,
  source: OfferedSource,
  streams: Iterable<string>,
  connections: readonly string[],
): number | undefined {
  const isMany = source.connections.length > MAX_COUNTED_CONNECTIONS
  const keys = [...streams].flatMap((name) => (isMany ? [countKey(name)] : connections.map((id) => countKey(name, id))))
  const found = keys.map((key) => counts.get(key))
  return found.includes(undefined) ? undefined : found.reduce<number>((sum, one) => sum + one!, 0)
}
