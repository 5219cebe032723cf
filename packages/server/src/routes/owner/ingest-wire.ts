import type { IngestReply } from '@pdpp/protocol'
import type { IngestResult } from '../../ingest/ingest-result.ts'

/** The answer of POST /v1/ingest/{stream}. */
export function toWireIngest(result: IngestResult): IngestReply {
  return {
    object: 'ingest_result',
    stream: result.stream,
    connection_id: result.connectionId,
    records_attempted: result.attempted,
    records_accepted: result.accepted,
    records_unchanged: result.unchanged,
    records_rejected: result.rejected,
    errors: [],
    rejections: result.rejections.map(({ index, ...rejection }) => ({ input_index: index, ...rejection })),
    rejections_truncated: result.rejected > result.rejections.length,
  }
}
