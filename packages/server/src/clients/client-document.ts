import { type AllowedHosts, fetchJson } from '../lib/guarded-fetch.ts'
import { RateLimit } from '../lib/limits/rate-limit.ts'
import { parseClientMetadata } from './client-metadata.ts'
import type { ClientMetadata } from './client-store.ts'
import { UnreadableDocument } from './unreadable-document.ts'

const LIMITS = { timeoutMs: 5000, maxBytes: 5120 }
const MAX_CONCURRENT_FETCHES = 8
/** Seconds that a document is used before it is fetched again. */
const FRESH = { min: 60, default: 3600, max: 86_400 }

export interface ClientDocument {
  readonly metadata: ClientMetadata
  readonly freshForSeconds: number
}

/** True if a client id is the address of a metadata document: https, with a path, and unambiguous. */
export function isDocumentAddress(clientId: string): boolean {
  if (clientId.length > 500 || !/^https:\/\/[\x21-\x7e]+$/.test(clientId)) return false
  if (/[#\\@*]/.test(clientId)) return false
  const url = URL.parse(clientId)
  // The parser normalises dot segments and missing parts. An id that it changes is refused.
  return url !== null && url.href === clientId && url.pathname !== '/' && !/%2e/i.test(url.pathname)
}

/** Fetches client ID metadata documents (draft-ietf-oauth-client-id-metadata-document), with limits. */
export class ClientDocumentFetcher {
  readonly #reach: AllowedHosts | undefined
  readonly #log: (line: string) => void
  readonly #perHost = new RateLimit({ count: 20, windowMs: 60_000, names: 1000 })
  #running = 0

  constructor(options: { reach?: AllowedHosts | undefined; log: (line: string) => void }) {
    this.#reach = options.reach
    this.#log = options.log
  }

  /** Every error looks the same to the client, because it chose the address and must not probe networks through us. */
  async fetch(clientId: string): Promise<ClientDocument> {
    try {
      return await this.#fetch(clientId)
    } catch (error) {
      this.#log(`client metadata document ${clientId} was refused: ${(error as Error).message}`)
      throw new UnreadableDocument(clientId, error)
    }
  }

  async #fetch(clientId: string): Promise<ClientDocument> {
    if (!isDocumentAddress(clientId)) throw new Error('not the address of a document')
    const url = new URL(clientId)
    if (this.#perHost.take(url.host) !== undefined) throw new Error('too many fetches from this host')
    if (this.#running >= MAX_CONCURRENT_FETCHES) throw new Error('too many fetches at once')
    this.#running++
    try {
      const { body, maxAgeSeconds } = await fetchJson(url, LIMITS, this.#reach)
      const freshForSeconds = Math.min(Math.max(maxAgeSeconds ?? FRESH.default, FRESH.min), FRESH.max)
      return { metadata: checkDocument(clientId, body), freshForSeconds }
    } finally {
      this.#running--
    }
  }
}

function checkDocument(clientId: string, body: unknown): ClientMetadata {
  const metadata = parseClientMetadata(body)
  const document = body as Record<string, unknown>
  if (document['client_id'] !== clientId) throw new Error('its client_id is not its address')
  if ('client_secret' in document || 'client_secret_expires_at' in document) throw new Error('it holds a secret')
  // The client says that it authenticates. We must not treat a method that we do not offer as "none".
  const method = document['token_endpoint_auth_method'] ?? 'none'
  if (method !== 'none') throw new Error('its token_endpoint_auth_method is not "none"')
  if (metadata.redirect_uris.length === 0 && !metadata.grant_types.some((type) => type.includes('device_code')))
    throw new Error('it has no redirect_uris')
  return metadata
}
