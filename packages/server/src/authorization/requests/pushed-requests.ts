import { pushedName } from '../flow-clients.ts'
import type { ArtifactStore } from '../stores/artifact-store.ts'
import { randomSecret, storedName } from '../tokens/secrets.ts'

const KIND = 'OpenedRequest'
/** Seconds to remember an opened request: as long as a request waits for the owner. */
export const OPENED_SECONDS = 900

/** A hash of the secret of the browser that opened the request, and the location where that browser continues. */
interface Opened {
  readonly browser?: string
  readonly location?: string
}

/**
 * A pushed request can be opened once (RFC 9126 section 4). The browser that opened it may reload it, and continues
 * where it was.
 */
export class PushedRequests {
  readonly #artifacts: ArtifactStore

  constructor(artifacts: ArtifactStore) {
    this.#artifacts = artifacts
  }

  /** True for the first caller only. */
  async open(requestUri: string): Promise<boolean> {
    const id = idOf(requestUri)
    if (!(await this.#artifacts.find(KIND, id))) await this.#put(id, {})
    return this.#artifacts.consume(KIND, id, Date.now())
  }

  /** Remembers where an opened request continues. Returns the secret that the same browser sends when it reloads. */
  async remember(requestUri: string, location: string): Promise<string> {
    const secret = randomSecret()
    await this.#put(idOf(requestUri), { browser: storedName(KIND, secret), location })
    return secret
  }

  /** The location at which a browser with the secret continues; undefined for any other browser. */
  async locationFor(requestUri: string, secret: string | undefined): Promise<string | undefined> {
    const found = await this.#artifacts.find(KIND, idOf(requestUri))
    const { browser, location }: Opened = found ? JSON.parse(found.payload) : {}
    return secret !== undefined && browser === storedName(KIND, secret) ? location : undefined
  }

  #put(id: string, opened: Opened): Promise<void> {
    const expiresAt = Date.now() + OPENED_SECONDS * 1000
    return this.#artifacts.put({ kind: KIND, id, payload: JSON.stringify(opened), expiresAt })
  }
}

const idOf = (requestUri: string): string => storedName(KIND, pushedName(requestUri) ?? requestUri)
