import { PdppError } from '@pdpp/protocol'
import { enforce, nearest, streamElsewhere, streamNotGranted, visibleStreams } from '../grants/enforce.ts'
import type { VisibleSource } from '../grants/visible-sources.ts'

/**
 * Error for a stream that cannot be read, or not in this connection. It is the same whether or not the stream exists,
 * and names only streams that the client can read.
 */
export function unknownStream(
  stream: string,
  connectionId: string | undefined,
  sources: readonly VisibleSource[],
): PdppError {
  const inReach = sources.flatMap((source) =>
    visibleStreams(source.authority, source.declaration).map(({ name }) => ({
      name,
      connections: enforce(source.authority, source, name).connections,
    })),
  )
  const elsewhere = inReach.filter(({ name }) => name === stream).flatMap(({ connections }) => connections)
  if (elsewhere.length > 0) return streamElsewhere(stream, elsewhere)
  const here = inReach.filter(({ connections }) => connectionId === undefined || connections.includes(connectionId))
  const names = [...new Set(here.map(({ name }) => name))]
  if (sources.some(({ authority }) => authority.kind === 'client')) return streamNotGranted(stream, names, 'stream')
  const message = `There is no stream "${stream.slice(0, 80)}".${nearest(stream, names)}`
  return new PdppError('not_found', message, { param: 'stream' })
}
