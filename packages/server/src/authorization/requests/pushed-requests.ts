import { pushedName } from '../flow-holders.ts'
import type { ArtifactStore } from '../stores/artifact-store.ts'
import { randomSecret, storedName } from '../tokens/secrets.ts'

const KIND = 'OpenedRequest'
/** As long as a request waits for the owner. */
export const OPENED_SECONDS = 900

/** Where a request that was opened goes on, for the browser that opened it. */
interface Opened {
  readonly browser?: string
  readonly location?: string
}

/** A pushed request opens once (RFC 9126 section 4). The browser that opened it may load it again, and goes on where it was. */
export class PushedRequests {
  readonly #artifacts: ArtifactStore

  constructor(artifacts: ArtifactStore) {
    this.#artifacts = artifacts
  }

  /** True for the first who opens it, and for nobody else. */
  async open(requestUri: string): Promise<boolean> {
    const id = idOf(requestUri)
    if (!(await this.#artifacts.find(KIND, id))) await this.#put(id, {})
    return this.#artifacts.consume(KIND, id, Date.now())
  }

  /** Answers what the browser that opened it has to show when it comes again. */
  async opened(requestUri: string, location: string): Promise<string> {
    const secret = randomSecret()
    await this.#put(idOf(requestUri), { browser: storedName(KIND, secret), location })
    return secret
  }

  /** Where it goes on for whoever shows that; undefined for anybody else. */
  async again(requestUri: string, secret: string | undefined): Promise<string | undefined> {
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
