/** How we know a client. It decides how far the owner can trust its name. */
export type ClientKind = 'dynamic' | 'document' | 'unverified' | 'pre_registered' | 'owner_made'

/** The part of a client's own metadata that we store. Has wire names, because it is stored and returned unchanged. */
export interface ClientMetadata {
  readonly client_name?: string
  readonly client_uri?: string
  readonly logo_uri?: string
  readonly policy_uri?: string
  readonly tos_uri?: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly application_type?: string
  /** Written by us, for the owner: why its metadata document could not be fetched. */
  readonly not_checked?: string
}

export interface Client {
  readonly clientId: string
  readonly kind: ClientKind
  readonly metadata: ClientMetadata
  readonly createdAt: number
  /** When the owner last approved something for it. */
  readonly lastUsedAt: number | undefined
  /** When its metadata document must be fetched again; only for clients with a document. */
  readonly freshUntil: number | undefined
}

export interface ClientStore {
  /** Creates the client, or replaces its metadata. */
  save(client: Client): Promise<void>
  find(clientId: string): Promise<Client | undefined>
  /** Newest first. `used`: true for clients with an approval, false for those without, undefined for all. */
  list(options: { limit: number; before?: string | undefined; used?: boolean | undefined }): Promise<Client[]>
  touch(clientId: string, at: number): Promise<void>
  /** Deletes dynamic and document clients that never had an approval. Returns how many it deleted. */
  removeUnused(options: { createdBefore: number; keep: number }): Promise<number>
}
