import type { Disclosure } from '../../receipts/disclosure.ts'
import type { Http } from '../environment.ts'
import type { Query } from '../request/query.ts'

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
