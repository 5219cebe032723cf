import { PdppError } from '@pdpp/protocol'
import { HTTPException } from 'hono/http-exception'
import { type FaultReader, faultError } from '../../lib/store-fault.ts'
import type { Transport } from '../environment.ts'

/** Paths for programs. Errors there are always JSON, regardless of the Accept header. */
const PROGRAMS = /^\/(v1|oauth(?!\/(?:authorize|consent)\b)|mcp|connectors|grants|\.well-known|assets)(\/|$)/

interface ErrorOptions {
  readonly store: FaultReader
  log(line: string): void
  /** Answers a browser with a page. Passed in because `http` must not import console pages. */
  sendErrorPage(error: PdppError, requestId: string): Response | Promise<Response>
}

/** Turns every thrown error into a response. Unexpected errors reach the client without details. */
export function errorResponse(
  error: unknown,
  c: Transport,
  { log, store, sendErrorPage }: ErrorOptions,
): Response | Promise<Response> {
  const known = toPdppError(error, store)
  const requestId = c.get('requestId') ?? ''
  if (
    !(error instanceof PdppError) &&
    ['api_error', 'storage_damaged', 'storage_unavailable', 'insufficient_storage'].includes(known.code) &&
    !c.req.raw.signal.aborted
  )
    log(`request ${requestId} failed: ${(error as Error)?.stack ?? error}`)
  if (known.detail.retryAfterSeconds !== undefined) c.header('Retry-After', String(known.detail.retryAfterSeconds))
  if (wantsPage(c)) return sendErrorPage(known, requestId)
  const wire = known.toWire(requestId)
  if (known.status !== 401) return c.json({ error: wire }, known.status as 400)
  const resourceMetadata = `${c.get('requestOrigin').origin}/.well-known/oauth-protected-resource`
  // RFC 6750 section 3: name no error if the request had no token.
  const { challenge } = known.detail
  const reason = challenge === undefined ? '' : `error="${challenge}", error_description="${known.message}", `
  c.header('WWW-Authenticate', `Bearer ${reason}resource_metadata="${resourceMetadata}"`)
  return c.json({ error: { ...wire, resource_metadata: resourceMetadata } }, 401)
}

/** True if a browser asks for a page, as opposed to a program that calls an endpoint. */
export function wantsPage(c: Transport): boolean {
  return /\btext\/html\b/i.test(c.req.header('accept') ?? '') && !PROGRAMS.test(c.req.path)
}

export function toPdppError(error: unknown, store: FaultReader): PdppError {
  if (error instanceof PdppError) return error
  if (error instanceof HTTPException && error.status === 413)
    return new PdppError('resource_limit', 'The request body is too large.')
  const fault = store.fault(error)
  if (fault !== undefined) return faultError(fault)
  return new PdppError('api_error', 'Something went wrong in the server.')
}
