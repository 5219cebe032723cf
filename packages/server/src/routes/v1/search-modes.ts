import { PdppError } from '@pdpp/protocol'
import type { Handler, MiddlewareHandler } from 'hono'
import type { HttpEnvironment } from '../environment.ts'

/** GET /v1/search/semantic and /v1/search/hybrid, which other servers have. The error names the mode that works here. */
export function refuseSearchMode(mode: 'semantic' | 'hybrid'): Handler<HttpEnvironment> {
  return () => {
    throw unsupportedMode(mode)
  }
}

/** Refuses every search mode except lexical. */
export const lexicalOnly: MiddlewareHandler<HttpEnvironment> = (c, next) => {
  const mode = c.req.query('mode')
  if (mode !== undefined && mode !== 'lexical') throw unsupportedMode(mode)
  return next()
}

function unsupportedMode(mode: string): PdppError {
  const message = `This server does not search in the mode "${mode.slice(0, 40)}"; it searches by words: lexical.`
  return new PdppError('unsupported_search_mode', message, { param: 'mode' })
}
