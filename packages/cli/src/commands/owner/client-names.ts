import { type OwnerApi, ServerRefusal } from '../../provider/owner-api.ts'

/** Looks up the names of clients, each only once. */
export class ClientNames {
  readonly #api: OwnerApi
  readonly #known = new Map<string, Promise<string>>()

  constructor(api: OwnerApi) {
    this.#api = api
  }

  of({ client_id: id }: { client_id: string | null }): Promise<string> {
    if (id === null) return Promise.resolve('you')
    const known = this.#known.get(id) ?? this.#lookUp(id)
    this.#known.set(id, known)
    return known
  }

  async #lookUp(id: string): Promise<string> {
    try {
      const path = `/v1/owner/clients/${encodeURIComponent(id)}`
      const { client_name: name } = await this.#api.request<{ client_name: string | null }>('GET', path)
      return name === null || name === id ? id : `${name} (${id})`
    } catch (error) {
      // Receipts remain after their client was deleted.
      if (error instanceof ServerRefusal) return id
      throw error
    }
  }
}
