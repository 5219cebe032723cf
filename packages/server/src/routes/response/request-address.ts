import { PdppError } from '@pdpp/protocol'
import type { Context } from '../../context.ts'
import type { Http } from '../environment.ts'

/**
 * Adds the page where the owner can allow the missing access, and counts the refusal (point 43). Both depend only on
 * the request and its access, so the answer is the same whether or not such data exists.
 */
export function withRequestAddress(context: Context, error: Error, c: Http): Error {
  const lacks = error instanceof PdppError ? error.detail.lacks : undefined
  const authority = c.get('authority')
  if (!lacks || !authority || authority.kind === 'owner') return error
  const path = context.wishes.refused(authority, lacks)
  const { code, message, detail } = error as PdppError
  return new PdppError(code, message, { ...detail, requestAccessUrl: c.get('requestOrigin').origin + path })
}
