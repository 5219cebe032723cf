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

/** What `pdpp connect` leaves for adapters, in the shape that the existing command writes; members beyond it are kept. */
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

/** Undefined where there is no such file, or where it holds no token: both mean "connect first". */
export function readCredentialFile(path: string): CachedCredential | undefined {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<CachedCredential>
    const token = value.credential?.access_token
    return typeof token === 'string' && /^[\x21-\x7e]{8,4096}$/.test(token) ? (value as CachedCredential) : undefined
  } catch {
    return
  }
}

/** Whole or not at all, and for this user only, whatever the umask says. */
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

/** A cache inside a project must never be committed with it. */
export function keepOutOfGit(root: string): void {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(join(root, '.gitignore'), '*\n!.gitignore\n', { flag: 'wx', mode: 0o600 })
  } catch {
    // There already.
  }
}

/** An owner's token, under any name that implementations gave its kind. */
export function isOwnerCredential(value: CachedCredential): boolean {
  const kinds = ['pdpp_token_kind', 'token_kind', 'kind', 'role']
  return [value, value.credential, value.client ?? {}].some((part) =>
    kinds.some((name) => String((part as Record<string, unknown>)[name] ?? '').toLowerCase() === 'owner'),
  )
}
