import { PdppError } from '@pdpp/protocol'
import { HTTPException } from 'hono/http-exception'
import { errorPage } from '../../console/frame/error-page.ts'
import { sendPage } from '../../console/frame/send.ts'
import { damaged, isDamage, isFull } from '../../storage/damage.ts'
import type { Http } from '../environment.ts'

/** Addresses that programs use: they get JSON whatever they say they accept. */
const PROGRAMS = /^\/(v1|oauth(?!\/(?:authorize|consent)\b)|mcp|connectors|grants|\.well-known|assets)(\/|$)/

/** The only place where a thrown error becomes an answer. Unexpected errors reach the client without details. */
export function errorResponse(error: unknown, c: Http, log: (line: string) => void): Response | Promise<Response> {
  const known = toPdppError(error)
  const requestId = c.get('requestId') ?? ''
  if (
    !(error instanceof PdppError) &&
    ['api_error', 'storage_damaged', 'insufficient_storage'].includes(known.code) &&
    !c.req.raw.signal.aborted
  )
    log(`request ${requestId} failed: ${(error as Error)?.stack ?? error}`)
  if (known.detail.retryAfterSeconds !== undefined) c.header('Retry-After', String(known.detail.retryAfterSeconds))
  if (wantsPage(c)) return sendPage(c, errorPage(known, requestId), { status: known.status })
  const wire = known.toWire(requestId)
  if (known.status !== 401) return c.json({ error: wire }, known.status as 400)
  const resourceMetadata = `${c.get('requestOrigin').origin}/.well-known/oauth-protected-resource`
  // RFC 6750 section 3: a request without a token is not told of an error in one.
  const { challenge } = known.detail
  const reason = challenge === undefined ? '' : `error="${challenge}", error_description="${known.message}", `
  c.header('WWW-Authenticate', `Bearer ${reason}resource_metadata="${resourceMetadata}"`)
  return c.json({ error: { ...wire, resource_metadata: resourceMetadata } }, 401)
}

/** A browser that asks for a page. */
export function wantsPage(c: Http): boolean {
  return /\btext\/html\b/i.test(c.req.header('accept') ?? '') && !PROGRAMS.test(c.req.path)
}

export function toPdppError(error: unknown): PdppError {
  if (error instanceof PdppError) return error
  if (error instanceof HTTPException && error.status === 413)
    return new PdppError('resource_limit', 'The request body is too large.')
  if (isDamage(error)) return damaged()
  if (isFull(error))
    return new PdppError('insufficient_storage', 'The disk of the server is full, so nothing was saved.')
  return new PdppError('api_error', 'Something went wrong in the server.')
}
