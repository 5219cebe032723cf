import { PdppError } from '@pdpp/protocol'
import { newId } from '../lib/ids.ts'
import type { ClientDocumentFetcher } from './client-document.ts'
import { isDocumentAddress } from './client-document.ts'
import { cleanName, DEVICE_CODE, parseClientMetadata } from './client-metadata.ts'
import type { Client, ClientMetadata, ClientStore } from './client-store.ts'
import { isUnverifiedId, unverifiedId, unverifiedMetadata } from './unverified-client.ts'

/** Clients without any approval are deleted after this time, or earlier if there are more than MAX_UNUSED. */
const UNUSED_FOR_MS = 7 * 86_400_000
const MAX_UNUSED = 5000

/** Public clients that every server knows. */
export const PRE_REGISTERED = [{ clientId: 'pdpp_cli', name: 'PDPP CLI' }] as const

/** All OAuth clients: registered ones, those with a metadata document, pre-registered ones, those the owner named. */
export class ClientService {
  readonly #store: ClientStore
  readonly #documents: ClientDocumentFetcher

  constructor(store: ClientStore, documents: ClientDocumentFetcher) {
    this.#store = store
    this.#documents = documents
  }

  /** `ownOrigin` is this server's origin. No client may have answers sent there. */
  async register(input: unknown, ownOrigin?: string): Promise<Client> {
    const metadata = parseClientMetadata(input, ownOrigin)
    return this.#save({ clientId: newId('cli'), kind: 'dynamic', metadata })
  }

  /** The client as stored. Never uses the network. */
  async find(clientId: string): Promise<Client | undefined> {
    const known = PRE_REGISTERED.find((one) => one.clientId === clientId)
    return (await this.#store.find(clientId)) ?? (known && preRegistered(known))
  }

  /** The client as it is now: fetches its document again if it is out of date. Stores nothing if that fails. */
  async resolve(clientId: string): Promise<Client | undefined> {
    if (isUnverifiedId(clientId)) return
    const found = await this.find(clientId)
    if (!isDocumentAddress(clientId)) return found
    if (found?.freshUntil !== undefined && found.freshUntil > Date.now()) return found
    const { metadata, freshForSeconds } = await this.#documents.fetch(clientId)
    return this.#save({ clientId, kind: 'document', metadata, freshUntil: Date.now() + freshForSeconds * 1000 })
  }

  /**
   * A program on this computer whose document could not be fetched. It is a separate client from the one with the
   * document, so it shares no access with it. With a loopback address, the document would not prove more anyway.
   */
  async unverified(address: string, redirectUri: string, reason: string): Promise<Client> {
    const clientId = unverifiedId(address)
    const known = await this.#store.find(clientId)
    const metadata = unverifiedMetadata(address, redirectUri, reason, known?.metadata)
    if (known && JSON.stringify(known.metadata) === JSON.stringify(metadata)) return known
    return this.#save({ ...known, clientId, kind: 'unverified', metadata })
  }

  async require(clientId: string): Promise<Client> {
    const found = await this.find(clientId)
    if (found) return found
    throw new PdppError('not_found', 'There is no such client.', {
      param: 'client_id',
      reason: 'client',
    })
  }

  /** Call when the owner approves something for the client. Keeps it from being swept, and marks it as in use. */
  async used(client: Pick<Client, 'clientId' | 'kind' | 'metadata'>): Promise<void> {
    if (!(await this.#store.find(client.clientId))) await this.#save(client)
    await this.#store.touch(client.clientId, Date.now())
  }

  list(options: { limit: number; before?: string | undefined; used?: boolean }): Promise<Client[]> {
    return this.#store.list(options)
  }

  sweep(): Promise<number> {
    return this.#store.removeUnused({ createdBefore: Date.now() - UNUSED_FOR_MS, keep: MAX_UNUSED })
  }

  async #save(client: Pick<Client, 'clientId' | 'kind' | 'metadata'> & Partial<Client>): Promise<Client> {
    const saved = { createdAt: Date.now(), lastUsedAt: undefined, freshUntil: undefined, ...client }
    await this.#store.save(saved)
    return saved
  }
}

/** A client that the owner named, for a token that the owner passes on themselves. */
export function ownerCreatedClient(clientId: string, name: string): Pick<Client, 'clientId' | 'kind' | 'metadata'> {
  const cleaned = cleanName(name)
  const metadata = {
    ...(cleaned === undefined ? {} : { client_name: cleaned }),
    redirect_uris: [],
    grant_types: [],
    response_types: [],
  }
  return { clientId, kind: 'owner_made', metadata }
}

function preRegistered({ clientId, name }: { clientId: string; name: string }): Client {
  const metadata: ClientMetadata = {
    client_name: name,
    redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback', 'http://[::1]/callback'],
    grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
    response_types: ['code'],
  }
  return { clientId, kind: 'pre_registered', metadata, createdAt: 0, lastUsedAt: undefined, freshUntil: undefined }
}
