import { setImmediate } from 'node:timers/promises'
import type { Grant } from '@pdpp/protocol'
import type { ReadAuthority } from '../../grants/authority.ts'
import { enforce } from '../../grants/enforce.ts'
import type { GrantService } from '../../grants/grant-service.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import { type VisibleSource, visibleSources } from '../../grants/visible-sources.ts'
import type { RecordService } from '../../records/record-service.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import type { SourceService } from '../../sources/declarations/source-service.ts'
import type { ConsentRequest } from './consent-service.ts'
import type { OfferedSource } from './offer.ts'
import { grantRequest, type Review } from './review.ts'

/** Sample records per stream. */
const SAMPLES = 3
/** Max. bytes of one stream's samples. A single larger record is still shown, with shortened values. */
const SAMPLE_BYTES = 64 * 1024
/** Time limit for counting, in milliseconds. Streams not counted by then show an upper bound or no number. */
const COUNT_MS = 1500

export type PreviewCount =
  | { readonly kind: 'exact' | 'at_most'; readonly value: number }
  | { readonly kind: 'unknown'; readonly value: 0 }

/** A stream as the client would see it. */
export interface StreamPreview {
  readonly scope: ReadScope
  readonly count: PreviewCount
  readonly records: readonly ScopedRecord[]
}

export interface Preview {
  /** Record count of each listed stream, by `previewKey`. */
  readonly offered: ReadonlyMap<string, PreviewCount>
  /** Count and sample records of each chosen stream, by `previewKey`. */
  readonly shared: ReadonlyMap<string, StreamPreview>
}

export const previewKey = (source: string, stream: string): string => `${source}/${stream}`

export interface PreviewServices {
  readonly grants: Pick<GrantService, 'draft'>
  readonly sources: SourceService
  readonly records: RecordService
}

/** Reads real counts and records through the same scopes that the grants would have. */
export async function readPreview(
  services: PreviewServices,
  subjectId: string,
  request: ConsentRequest,
  review: Review,
  listed: readonly OfferedSource[],
): Promise<Preview> {
  const deadline = Date.now() + COUNT_MS
  const offered = new Map<string, PreviewCount>()
  const shared = new Map<string, StreamPreview>()
  for (const source of listed) {
    const maxGrant = await services.grants.draft(subjectId, grantRequest(request, source, maxSelection(source)))
    for (const scope of await scopesOf(services.sources, subjectId, maxGrant)) {
      const key = previewKey(source.key, scope.stream.name)
      offered.set(key, await countOf(services.records, scope, deadline))
    }
  }
  for (const { source, draft } of review.grants) {
    for (const scope of await scopesOf(services.sources, subjectId, draft)) {
      const key = previewKey(source.key, scope.stream.name)
      const count = await countOf(services.records, scope, deadline, offered.get(key))
      const { rows } =
        Date.now() > deadline
          ? { rows: [] }
          : await services.records.page(scope, { limit: SAMPLES, maxBytes: SAMPLE_BYTES })
      shared.set(key, { scope, count, records: rows })
      // Let other requests run between two streams.
      await setImmediate()
    }
  }
  return { offered, shared }
}

function maxSelection({ streams, connections }: OfferedSource) {
  return {
    connections: connections.map(({ connectionId }) => connectionId),
    streams: streams.map(({ maxGrant: { name, fields, instance_ids, time_constraint: time, resources } }) => ({
      name,
      fields,
      connections: instance_ids,
      since: time?.since,
      until: time?.until,
      resources,
    })),
  }
}

/** The read scopes of a client with this grant, one per stream. */
async function scopesOf(sources: SourceService, subjectId: string, grant: Grant): Promise<ReadScope[]> {
  const authority: ReadAuthority = { kind: 'client', subjectId, clientId: grant.client.client_id, grant }
  const [source] = (await visibleSources(sources, [authority])) as [VisibleSource]
  return grant.streams.map(({ name }) => enforce(authority, source, name))
}

async function countOf(
  records: RecordService,
  scope: ReadScope,
  deadline: number,
  max?: PreviewCount,
): Promise<PreviewCount> {
  if (Date.now() <= deadline) return { kind: 'exact', value: (await records.count(scope, 'exact')).value! }
  return max && max.kind !== 'unknown' ? { kind: 'at_most', value: max.value } : { kind: 'unknown', value: 0 }
}
