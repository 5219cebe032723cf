import { PdppError } from '@pdpp/protocol'

/** True if the store's files are damaged, as opposed to a wrong request. */
export function isDamage(error: unknown): boolean {
  if (error instanceof PdppError) return error.code === 'storage_damaged'
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  // SQLite reports a word index with broken tables as a plain error.
  if (code === 'SQLITE_ERROR') return /^(vtable constructor failed|invalid fts5 file format)/.test(String(message))
  return typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code)
}

/** True if the disk is full. */
export function isFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === 'SQLITE_FULL' || code === 'ENOSPC'
}

export const damaged = (): PdppError =>
  new PdppError('storage_damaged', 'The files in which this server keeps its data are damaged.')

/** Remembers when a read first found damage, so that the owner sees it on the first page. */
export class DamageWatch {
  #at: number | undefined

  get at(): number | undefined {
    return this.#at
  }

  note(error: unknown): void {
    if (isDamage(error)) this.#at ??= Date.now()
  }
}
