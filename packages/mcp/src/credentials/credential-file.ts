import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** The file that `pdpp connect` writes for adapters. Other programs share this format, so unknown members are kept. */
export interface CachedCredential {
  readonly provider_url: string
  readonly authorization_server?: string
  readonly scope?: string
  readonly client?: { readonly client_id?: string; readonly client_name?: string; readonly [name: string]: unknown }
  readonly credential: {
    readonly access_token: string
    readonly token_type?: string
    readonly expires_at?: string | null
    readonly grant_id?: string | null
    readonly refresh_token?: string | null
    readonly [name: string]: unknown
  }
  readonly created_at?: string
  readonly [name: string]: unknown
}

/** Undefined if the file is missing or contains no token. Both mean that the user must connect first. */
export function readCredentialFile(path: string): CachedCredential | undefined {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<CachedCredential>
    const token = value.credential?.access_token
    return typeof token === 'string' && /^[\x21-\x7e]{8,4096}$/.test(token) ? (value as CachedCredential) : undefined
  } catch {
    return
  }
}

/** Replaces the file in one step. Only this user can read it, whatever the umask. */
export function writeCredentialFile(path: string, credential: CachedCredential): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = openSync(draft, 'wx', 0o600)
  try {
    fchmodSync(file, 0o600)
    writeSync(file, `${JSON.stringify(credential, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}

/** Adds a .gitignore, so that a cache inside a project is never committed. */
export function keepOutOfGit(root: string): void {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(join(root, '.gitignore'), '*\n!.gitignore\n', { flag: 'wx', mode: 0o600 })
  } catch {
    // The file exists already.
  }
}

/** True for an owner token. Implementations name the member differently. */
export function isOwnerCredential(value: CachedCredential): boolean {
  const kinds = ['pdpp_token_kind', 'token_kind', 'kind', 'role']
  return [value, value.credential, value.client ?? {}].some((part) =>
    kinds.some((name) => String((part as Record<string, unknown>)[name] ?? '').toLowerCase() === 'owner'),
  )
}
