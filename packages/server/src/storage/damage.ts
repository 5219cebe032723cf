import { PdppError } from '@pdpp/protocol'

/** True where a store found its own files broken, and not the request. */
export function isDamage(error: unknown): boolean {
  if (error instanceof PdppError) return error.code === 'storage_damaged'
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  // A word index whose own tables are broken cannot even be opened.
  if (code === 'SQLITE_ERROR') return /^(vtable constructor failed|invalid fts5 file format)/.test(String(message))
  return typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code)
}

/** True where the disk has no room for what was to be written. */
export function isFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === 'SQLITE_FULL' || code === 'ENOSPC'
}

export const damaged = (): PdppError => new PdppError('storage_damaged', 'The data files of this server are damaged.')

/** Whether a read of this process has met damage: the owner is told on the first page. */
export class DamageWatch {
  #at: number | undefined

  get at(): number | undefined {
    return this.#at
  }

  note(error: unknown): void {
    if (isDamage(error)) this.#at ??= Date.now()
  }
}
