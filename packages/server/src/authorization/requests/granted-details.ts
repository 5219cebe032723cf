import type { Grant, StreamGrant } from '@pdpp/protocol'
import { DATA_ACCESS } from './authorization-details.ts'

/** A grant as an RFC 9396 detail, for token responses and introspection. Lists exactly what was granted. */
export function grantedDetail(grant: Grant) {
  const { kind, id } = grant.source
  return {
    type: DATA_ACCESS,
    source: { kind, id },
    purpose_code: grant.purpose_code,
    ...(grant.purpose_description === undefined ? {} : { purpose_description: grant.purpose_description }),
    access_mode: grant.access_mode,
    ...(grant.retention === undefined ? {} : { retention: grant.retention }),
    streams: grant.streams.map(grantedStream),
  }
}

function grantedStream({ name, instance_ids, fields, time_constraint: time, resources }: StreamGrant) {
  const { since, until } = time ?? {}
  return {
    name,
    instance_ids,
    fields,
    ...(time === undefined
      ? {}
      : {
          time_range: {
            ...(since === undefined ? {} : { since }),
            ...(until === undefined ? {} : { until }),
          },
        }),
    ...(resources === undefined ? {} : { resources }),
  }
}
