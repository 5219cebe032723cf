import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import {
  type CachedCredential,
  isOwnerCredential,
  keepOutOfGit,
  readCredentialFile,
  writeCredentialFile,
} from './credential-file.ts'

export type { CachedCredential } from './credential-file.ts'

const MAX_GRANTS = 1_000

export interface CachedGrant {
  readonly path: string
  readonly credential: CachedCredential
}

/** The chosen folder, otherwise the nearest `.pdpp` folder upwards that contains tokens, otherwise `~/.pdpp`. */
export function cacheRoot(chosen: string | undefined, home: string = homedir(), from: string = process.cwd()): string {
  if (chosen !== undefined && chosen !== '') return resolve(chosen)
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, '.pdpp')
    if (existsSync(join(found, 'clients')) && statSync(found).isDirectory()) return found
    if (dirname(folder) === folder) return join(home, '.pdpp')
  }
}

/**
 * Cached tokens. `clients/<host>.json` holds the latest grant for a provider; other adapters read this file too.
 * `clients/<scheme>_<host>/<grant_id>.json` holds each grant.
 */
export class CredentialCache {
  readonly root: string

  constructor(root: string) {
    this.root = root
  }

  /** The grant with this id, or the latest. */
  find(providerUrl: string, grantId?: string): CachedGrant | undefined {
    if (grantId !== undefined) return this.list(providerUrl).find(({ credential }) => grantOf(credential) === grantId)
    const path = this.#latestPath(providerUrl)
    const credential = readCredentialFile(path)
    return credential && sameOrigin(credential.provider_url, providerUrl)
      ? { path, credential }
      : this.list(providerUrl)[0]
  }

  /** All grants for a provider, newest first. */
  list(providerUrl: string): CachedGrant[] {
    const folder = this.#folder(providerUrl)
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
    const paths = names.slice(0, MAX_GRANTS).map((name) => join(folder, name))
    const latest = this.#latestPath(providerUrl)
    const found = [latest, ...paths].flatMap((path) => {
      const credential = readCredentialFile(path)
      return credential && sameOrigin(credential.provider_url, providerUrl) ? [{ path, credential }] : []
    })
    const own = found.filter(
      ({ path, credential }) =>
        path !== latest ||
        !found.some((other) => other.path !== latest && grantOf(other.credential) === grantOf(credential)),
    )
    return own.sort((a, b) =>
      String(b.credential.created_at ?? '').localeCompare(String(a.credential.created_at ?? '')),
    )
  }

  /** All providers that have a cached grant. */
  providers(): string[] {
    const folder = join(this.root, 'clients')
    if (!existsSync(folder)) return []
    const entries = readdirSync(folder, { withFileTypes: true }).slice(0, MAX_GRANTS)
    const files = entries.flatMap((entry) => {
      if (entry.isFile() && entry.name.endsWith('.json')) return [join(folder, entry.name)]
      if (!entry.isDirectory()) return []
      const inner = join(folder, entry.name)
      return readdirSync(inner)
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(inner, name))
    })
    return [...new Set(files.flatMap((path) => readCredentialFile(path)?.provider_url ?? []))]
  }

  /** Saves a new grant, which becomes the latest. */
  save(credential: CachedCredential): void {
    keepOutOfGit(this.root)
    writeCredentialFile(this.#grantPath(credential), credential)
    writeCredentialFile(this.#latestPath(credential.provider_url), credential)
  }

  /** Writes a refreshed token to the files that still contain its grant. Does not touch other or deleted files. */
  update(grant: CachedGrant, credential: CachedCredential): void {
    for (const { path } of this.copies(grant)) writeCredentialFile(path, credential)
  }

  /**
   * All files that contain a grant. An adapter that was given the grant's id reads one file, the others read the file
   * of the latest grant.
   */
  copies({ path, credential }: CachedGrant): CachedGrant[] {
    const paths = new Set([path, this.#latestPath(credential.provider_url), this.#grantPath(credential)])
    return [...paths].flatMap((path) => {
      const found = readCredentialFile(path)
      const isSame =
        found !== undefined &&
        grantOf(found) === grantOf(credential) &&
        sameOrigin(found.provider_url, credential.provider_url) &&
        !isOwnerCredential(found)
      return isSame ? [{ path, credential: found }] : []
    })
  }

  /** One lock per grant, because adapters may read the grant from different files. */
  lockPath({ credential }: CachedGrant): string {
    return `${this.#latestPath(credential.provider_url)}.${safe(grantOf(credential) ?? 'grant')}.lock`
  }

  forget({ path, credential }: CachedGrant): void {
    for (const file of new Set([path, this.#grantPath(credential)])) rmSync(file, { force: true })
    const latest = this.#latestPath(credential.provider_url)
    const kept = readCredentialFile(latest)
    if (kept === undefined || grantOf(kept) !== grantOf(credential)) return
    rmSync(latest, { force: true })
    const next = this.list(credential.provider_url)[0]
    if (next) writeCredentialFile(latest, next.credential)
  }

  #latestPath(providerUrl: string): string {
    return join(this.root, 'clients', `${safe(new URL(providerUrl).host)}.json`)
  }

  #folder(providerUrl: string): string {
    const { protocol, host } = new URL(providerUrl)
    return join(this.root, 'clients', `${protocol.slice(0, -1)}_${safe(host)}`)
  }

  #grantPath(credential: CachedCredential): string {
    return join(this.#folder(credential.provider_url), `${safe(grantOf(credential) ?? 'grant')}.json`)
  }
}

/** The id of the grant or of the package. */
export function grantOf({ credential }: CachedCredential): string | undefined {
  const id = credential.grant_id ?? credential['grant_package_id']
  return typeof id === 'string' ? id : undefined
}

/** Compares origins, because the file name does not contain the scheme. */
function sameOrigin(stored: unknown, asked: string): boolean {
  return typeof stored === 'string' && URL.canParse(stored) && new URL(stored).origin === new URL(asked).origin
}

const safe = (text: string): string => text.replace(/[^A-Za-z0-9.-]/g, '_').slice(0, 200)
