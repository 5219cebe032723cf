import type { ClientMetadata } from './client-store.ts'

const PREFIX = 'unverified:'
const MAX_ADDRESSES = 10

/**
 * The id of a program on this computer that claims a metadata document which could not be fetched. It differs from the
 * document's own id, because access given to one must not pass to the other.
 */
export const unverifiedId = (documentAddress: string): string => PREFIX + documentAddress

/** Only we make such ids. A request must not name one. */
export const isUnverifiedId = (clientId: string): boolean => clientId.startsWith(PREFIX)

/** The address of the document that such a client claims. */
export const claimedAddress = (clientId: string): string => clientId.slice(PREFIX.length)

/** Our facts about such a client: its address on this computer, and why its document could not be fetched. */
export function unverifiedMetadata(
  address: string,
  redirectUri: string,
  reason: string,
  before: ClientMetadata | undefined,
): ClientMetadata {
  // The client may use a different port each time (RFC 8252 section 7.3).
  const portless = Object.assign(new URL(redirectUri), { port: '' }).href
  const known = before?.redirect_uris.filter((uri) => uri !== portless) ?? []
  return {
    client_name: `${new URL(address).host}, not checked`,
    redirect_uris: [portless, ...known].slice(0, MAX_ADDRESSES),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    not_checked: reason,
  }
}
