import type { ClientMetadata } from './client-store.ts'

const PREFIX = 'unverified:'
const MAX_ADDRESSES = 10

/**
 * The id under which we know a program on this computer that says it is the client of a metadata document which could not
 * be read. Never the document's own id: what is allowed to one is not allowed to the other.
 */
export const unverifiedId = (documentAddress: string): string => PREFIX + documentAddress

/** Ours alone: nobody may name it in a request. */
export const isUnverifiedId = (clientId: string): boolean => clientId.startsWith(PREFIX)

/** The address that such a client claims. */
export const claimedAddress = (clientId: string): string => clientId.slice(PREFIX.length)

/** What we know of it: where it listens on this computer, and why its description could not be read. */
export function unverifiedMetadata(
  address: string,
  redirectUri: string,
  reason: string,
  before: ClientMetadata | undefined,
): ClientMetadata {
  // The port is another one each time (RFC 8252 section 7.3).
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
