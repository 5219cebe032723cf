import { objectOf } from '../resource-server/envelope.ts'
import { parseStreamUri, STREAM_TEMPLATE, type StreamAddress } from './stream-address.ts'

/** Max. streams of one listener. */
const MAX_ADDRESSES = 50
/** Max. connections of one listener, because each uses one of the grant's subscriptions. */
const MAX_CONNECTIONS = 4

export class ListenError extends Error {
  override readonly name = 'ListenError'
  /** The error body, if the server refused. */
  readonly data: object | undefined

  constructor(message: string, data?: object) {
    super(message)
    this.data = data
  }
}

/** The URIs in a `subscriptions/listen` message. Undefined for other messages, and if there are no URIs. */
export function listenedUris(message: unknown): readonly string[] | undefined {
  const { method, params } = objectOf(message)
  if (method !== 'subscriptions/listen') return
  const uris = objectOf(objectOf(params)['notifications'])['resourceSubscriptions']
  // If this is not a list of strings, the SDK refuses it.
  if (!Array.isArray(uris) || uris.length === 0 || uris.some((uri) => typeof uri !== 'string')) return
  return uris
}

/** The streams that the URIs name. If one URI is wrong, the listener is not opened. */
export function requireAddresses(uris: readonly string[]): StreamAddress[] {
  const addresses = [...new Set(uris)].map((uri) => {
    const address = parseStreamUri(uri)
    if (address === undefined)
      throw new ListenError(
        `You can't listen to "${uri.slice(0, 100)}". Use ${STREAM_TEMPLATE.uriTemplate} with names that schema lists.`,
      )
    return address
  })
  if (addresses.length > MAX_ADDRESSES)
    throw new ListenError(`A listener can follow at most ${MAX_ADDRESSES} streams. Open it with fewer.`)
  if (new Set(addresses.map(({ connectionId }) => connectionId)).size > MAX_CONNECTIONS)
    throw new ListenError(`A listener can follow at most ${MAX_CONNECTIONS} connections. Open it with fewer.`)
  return addresses
}
