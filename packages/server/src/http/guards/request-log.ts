import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'

/** Logs one line per request, with the route's pattern. A full URL may contain record ids, words or sign-in links. */
export function logRequests(log: (line: string) => void): MiddlewareHandler {
  return async (c, next) => {
    const started = performance.now()
    await next()
    const time = (performance.now() - started).toFixed(1)
    log(
      `${new Date().toISOString()} ${c.req.method} ${routePath(c, -1)} ${c.res.status} ${time} ms ${c.get('requestId')}`,
    )
  }
}
