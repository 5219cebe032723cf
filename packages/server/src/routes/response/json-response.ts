import type { Authority, PackageAuthority } from '../../grants/authority.ts'
import type { Disclosure } from '../../receipts/receipt-store.ts'
import type { Http } from '../environment.ts'
import type { Query } from '../request/query.ts'

/** Sends a JSON text, and records its size and the disclosures for the receipt. */
export function sendJson(c: Http, body: string, ...disclosures: Disclosure[]): Response {
  c.set('disclosures', disclosures)
  c.set('bytes', Buffer.byteLength(body))
  c.set('measuredBody', body)
  return c.body(body, 200, { 'Content-Type': 'application/json; charset=utf-8' })
}

/** Puts links and meta before the data, which may be long and cut off by a reader. */
export function withMeta(
  query: Query,
  { object, ...rest }: { object: string; [name: string]: unknown },
  more: Record<string, unknown> = {},
) {
  const meta = { count: { kind: 'none' }, ...more, warnings: query.warnings }
  return { object, links: { self: query.self }, meta, ...rest }
}

/** The `package` member of an answer's meta: how many members of the package were read. */
export function packageMeta(authority: Authority, membersRead: number, more: Record<string, unknown> = {}) {
  if (authority.kind !== 'package') return {}
  return { package: { ...packageSummary(authority), members_read: membersRead, ...more } }
}

function packageSummary({ packageId, members, unusable }: PackageAuthority) {
  return {
    package_id: packageId,
    member_count: members.length + unusable.length,
    usable_member_count: members.length,
    partial: unusable.length > 0,
  }
}
