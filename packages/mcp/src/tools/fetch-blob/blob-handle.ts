import { PdppError } from '@pdpp/protocol/reading'
import type { Arguments } from '../../calling/arguments.ts'

export interface BlobHandle {
  readonly blob_id: string
  readonly connection_id?: string
}

const ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/
const ROUTE = /^\/v1\/blobs\/([^/?#]+)(?:\?connection_id=([^&#]+))?$/

/**
 * Parses a blob id, or a `fetch_url` of this server, which also names the connection. Other addresses and paths are
 * refused and never opened (003.2.3).
 */
export function blobHandle(args: Arguments, providerUrl: string): BlobHandle {
  const argument = String(args['blob_id'])
  const route = ROUTE.exec(argument.startsWith(`${providerUrl}/`) ? argument.slice(providerUrl.length) : argument)
  const id = route ? decoded(route[1]!) : argument
  const fromUrl = route?.[2] === undefined ? undefined : decoded(route[2])
  const fromArgument = args['connection_id'] as string | undefined
  if (id === undefined || !ID.test(id) || id.includes('..'))
    throw invalid(
      'blob_id',
      'This is not a blob id.',
      'Pass blob_id or fetch_url of a blob reference, as a record shows it.',
    )
  if (fromUrl !== undefined && fromArgument !== undefined && fromUrl !== fromArgument)
    throw invalid('connection_id', 'blob_id and connection_id name different connections.', 'Leave out connection_id.')
  const connection = fromArgument ?? fromUrl
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
