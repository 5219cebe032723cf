import { PdppError } from '@pdpp/protocol/reading'
import type { Arguments } from '../../calling/arguments.ts'

export interface BlobHandle {
  readonly blob_id: string
  readonly connection_id?: string
}

const ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/
const ROUTE = /^\/v1\/blobs\/([^/?#]+)(?:\?connection_id=([^&#]+))?$/

/**
 * A reference names a blob and perhaps its source; its `fetch_url` says both. Nothing else leads anywhere: no address
 * of another place and no path is ever followed (003.2.3).
 */
export function blobHandle(args: Arguments, providerUrl: string): BlobHandle {
  const given = String(args['blob_id'])
  const route = ROUTE.exec(given.startsWith(`${providerUrl}/`) ? given.slice(providerUrl.length) : given)
  const id = route ? decoded(route[1]!) : given
  const named = route?.[2] === undefined ? undefined : decoded(route[2])
  const asked = args['connection_id'] as string | undefined
  if (id === undefined || !ID.test(id) || id.includes('..'))
    throw invalid(
      'blob_id',
      'This is not a blob id.',
      'Pass blob_id or fetch_url of a blob reference, as a record shows it.',
    )
  if (named !== undefined && asked !== undefined && named !== asked)
    throw invalid('connection_id', 'blob_id and connection_id name different connections.', 'Leave out connection_id.')
  const connection = asked ?? named
  return { blob_id: id, ...(connection === undefined ? {} : { connection_id: connection }) }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return
  }
}

const invalid = (param: string, message: string, nextStep: string) =>
  new PdppError('invalid_argument', message, { param, nextStep })
