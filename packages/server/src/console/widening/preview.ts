import type { Grant } from '@pdpp/protocol'
import type { Context } from '../../context.ts'
import type { SampledStream } from '../access/grant-sample.ts'

const SAMPLES = { limit: 3, maxBytes: 64 * 1024 }
/** Time limit for counting and reading samples, in milliseconds. */
const PREVIEW_MS = 1_500
/** Max. streams with samples on a page. */
const MAX_SAMPLED = 12

/** A stream as the agent would read it: its count, if there was time to count it, and its latest records. */
export interface PreviewedStream extends SampledStream {
  readonly grant: Grant
  readonly count: number | undefined
}

/** Reads counts and records through the scopes that the grants would have. */
export async function previewOf(
  context: Context,
  subjectId: string,
  grants: readonly Grant[],
): Promise<PreviewedStream[]> {
  const deadline = Date.now() + PREVIEW_MS
  const found: PreviewedStream[] = []
  for (const grant of grants) {
    const authority = { kind: 'client', subjectId, clientId: grant.client.client_id, grant } as const
    for (const { streams } of await context.schema.read([authority], {})) {
      for (const stream of streams) {
        const isInTime = Date.now() < deadline
        const rows =
          isInTime && found.length < MAX_SAMPLED ? (await context.records.page(stream.scope, SAMPLES)).rows : []
        const count = isInTime ? (await context.records.count(stream.scope, 'exact')).value : undefined
        found.push({ grant, stream, records: rows, count })
      }
    }
  }
  return found
}
