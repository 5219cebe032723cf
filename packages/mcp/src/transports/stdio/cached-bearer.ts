import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { CachedGrant, CredentialCache } from '../../credentials/credential-cache.ts'
import type { BearerSource } from '../../resource-server/http-resource-server.ts'
import { refreshed } from './refresh.ts'

/** Refreshed this long before it ends, so that no call meets an expired token. */
const EARLY_MS = 60_000
const LOCK_STALE_MS = 30_000
const LOCK_PATIENCE_MS = 20_000

/**
 * The cached token, refreshed when it is about to end or was refused, and written back. Several adapters may share
 * one cache: whoever holds the lock refreshes, the others find the new token in the file.
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
      // Another adapter may have been quicker.
      if (this.#reread(old)) return this.#token
      const credential = await refreshed(this.#grant.credential)
      this.#grant = { ...this.#grant, credential }
      this.#keep()
      return this.#token
    } catch (error) {
      this.#log(`The token could not be refreshed: ${messageOf(error)}`)
      return
    } finally {
      release()
    }
  }

  /** The old refresh token is used up: the new one serves this process, also where it cannot be written down. */
  #keep(): void {
    try {
      this.#cache.update(this.#grant, this.#grant.credential)
    } catch (error) {
      this.#log(`The new token could not be kept in ${this.#grant.path}: ${messageOf(error)}`)
    }
  }

  /** Only its own grant: another that was connected since is not what this adapter was started with (003.3). */
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

/** One holder at a time; a lock that was left behind counts for nothing. */
async function lock(path: string): Promise<() => void> {
  const deadline = Date.now() + LOCK_PATIENCE_MS
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
      return () => rmSync(path, { force: true })
    } catch (error) {
      // A cache that only can be read has no lock to wait for.
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
