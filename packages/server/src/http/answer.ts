import type { Context as HonoContext } from 'hono'
import type { Disclosure } from '../receipts/disclosure.ts'
import type { HttpEnvironment } from './environment.ts'
import type { Query } from './query.ts'

type Http = HonoContext<HttpEnvironment>

/** A finished JSON text; the receipt states its size. */
export function sendJson(c: Http, body: string, ...disclosures: Disclosure[]): Response {
  c.set('disclosures', disclosures)
  c.set('bytes', Buffer.byteLength(body))
  return c.body(body, 200, { 'Content-Type': 'application/json; charset=utf-8' })
}

/** Links and meta stand before whatever can be long. */
export function withMeta(
  query: Query,
  { object, ...rest }: { object: string; [name: string]: unknown },
  more: Record<string, unknown> = {},
) {
  const meta = { count: { kind: 'none' }, ...more, warnings: query.warnings }
  return { object, links: { self: query.self }, meta, ...rest }
}
