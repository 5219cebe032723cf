/** How we came to know a client; it decides what its name is worth to the owner. */
export type ClientKind = 'dynamic' | 'document' | 'unverified' | 'pre_registered' | 'owner_made'

/** What a client says of itself, as far as we keep it. Wire names: it is stored and echoed as it is. */
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
  /** Ours, not the client's: why its metadata document could not be read. For the owner. */
  readonly not_checked?: string
}

export interface Client {
  readonly clientId: string
  readonly kind: ClientKind
  readonly metadata: ClientMetadata
  readonly createdAt: number
  /** When the owner last approved something for it. */
  readonly lastUsedAt: number | undefined
  /** Of a metadata document: until when it need not be fetched again. */
  readonly freshUntil: number | undefined
}

export interface ClientStore {
  /** Creates the client, or replaces what it says of itself. */
  save(client: Client): Promise<void>
  find(clientId: string): Promise<Client | undefined>
  /** Newest first. `used`: only those that something was approved for, or only the others. */
  list(options: { limit: number; before?: string | undefined; used?: boolean | undefined }): Promise<Client[]>
  touch(clientId: string, at: number): Promise<void>
  /** Removes dynamic registrations and documents that nothing was ever approved for. Returns how many went. */
  removeUnused(options: { createdBefore: number; keep: number }): Promise<number>
}
