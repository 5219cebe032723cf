import { PdppError } from '@pdpp/protocol/reading'
import type { StoreFault } from '../../../lib/store-fault.ts'

/** True if a store found its own files broken. */
export function isDamage(error: unknown): boolean {
  if (error instanceof PdppError) return error.code === 'storage_damaged'
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  // A word index whose own tables are broken cannot even be opened.
  if (code === 'SQLITE_ERROR') return /^(vtable constructor failed|invalid fts5 file format)/.test(String(message))
  return typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code)
}

export function faultOf(error: unknown): StoreFault | undefined {
  if (isDamage(error)) return 'damaged'
  const { code } = (error ?? {}) as { code?: unknown }
  return code === 'SQLITE_FULL' || code === 'ENOSPC' ? 'full' : undefined
}
