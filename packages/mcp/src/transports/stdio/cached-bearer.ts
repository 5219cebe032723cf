import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { CachedGrant, CredentialCache } from '../../credentials/credential-cache.ts'
import type { BearerSource } from '../../resource-server/http-resource-server.ts'
import { refreshed } from './refresh.ts'

/** Refresh a token this long before it expires, so that no call fails. */
const EARLY_MS = 60_000
const LOCK_STALE_MS = 30_000
const LOCK_TIMEOUT_MS = 20_000

/**
 * Supplies the cached token. Refreshes it before it expires or after a refusal, and writes it back. If several adapters
 * share a cache, the one with the lock refreshes and the others read the new token from the file.
 */
export class CachedBearer implements BearerSource {
  readonly #cache: CredentialCache
  readonly #log: (line: string) => void
  #grant: CachedGrant
  #refreshing: Promise<string | undefined> | undefined

  constructor(cache: CredentialCache, grant: CachedGrant, log: (line: string) => void) {
    this.#cache = cache
    this.#grant = grant
    this.#log = log
  }

  async current(): Promise<string> {
    if (endsSoon(this.#grant)) await this.#renew(this.#token)
    return this.#token
  }

  async replace(refused: string): Promise<string | undefined> {
    const other = await this.#renew(refused)
    return other === refused ? undefined : other
  }

  get #token(): string {
    return this.#grant.credential.credential.access_token
  }

  #renew(old: string): Promise<string | undefined> {
    this.#refreshing ??= this.#exchange(old).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #exchange(old: string): Promise<string | undefined> {
    if (this.#reread(old)) return this.#token
    if (!this.#grant.credential.credential.refresh_token) return
    const release = await lock(this.#cache.lockPath(this.#grant))
    try {
      // Another adapter may have refreshed the token while we waited.
      if (this.#reread(old)) return this.#token
      const credential = await refreshed(this.#grant.credential)
      this.#grant = { ...this.#grant, credential }
      this.#save()
      return this.#token
    } catch (error) {
      this.#log(`The token could not be refreshed: ${messageOf(error)}`)
      return
    } finally {
      release()
    }
  }

  /**
   * Saves the new token. If saving fails, this process still uses it, because the old refresh token no longer works.
   */
  #save(): void {
    try {
      this.#cache.update(this.#grant, this.#grant.credential)
    } catch (error) {
      this.#log(`The new token could not be saved in ${this.#grant.path}: ${messageOf(error)}`)
    }
  }

  /**
   * Reads the token from the cache again, only for the same grant: nobody chose a newer one for this adapter (003.3).
   */
  #reread(old: string): boolean {
    const newer = this.#cache
      .copies(this.#grant)
      .find(({ credential }) => credential.credential.access_token !== this.#token)
    if (newer) this.#grant = { ...this.#grant, credential: newer.credential }
    return this.#token !== old && !endsSoon(this.#grant)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown error')

function endsSoon({ credential: { credential } }: CachedGrant): boolean {
  const end = typeof credential.expires_at === 'string' ? Date.parse(credential.expires_at) : Number.NaN
  return !Number.isNaN(end) && end - EARLY_MS <= Date.now()
}

/** Takes the lock file, or removes a stale one. After the timeout it continues without the lock. */
async function lock(path: string): Promise<() => void> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
      return () => rmSync(path, { force: true })
    } catch (error) {
      // A read-only cache has no lock to wait for.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return () => {}
      if (isStale(path)) rmSync(path, { force: true })
      else if (Date.now() > deadline) return () => {}
      else await wait(100, undefined, { ref: false })
    }
  }
}

function isStale(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > LOCK_STALE_MS
  } catch {
    return false
  }
}
