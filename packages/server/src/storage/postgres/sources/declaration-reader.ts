import type { SourceDeclaration } from '@pdpp/protocol'
import { LruCache } from '../../../lib/lru-cache.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import type { Session } from '../engine/session.ts'

interface SourceRow {
  connector_key: string
  created_at: number
  revision: number
}

/** Parsed declarations. The same declaration is the same object, so that values derived from it can be cached by object. */
export class Declarations {
  readonly #known = new LruCache<string, SourceDeclaration>(1000)

  /** One source of the owner, or all of them in order. */
  async read(session: Session, subject: number, connectorKey?: string): Promise<SourceDeclaration[]> {
    const sql = `select connector_key, created_at, revision from source
      where subject = ? and (?::text is null or connector_key = ?) order by connector_key`
    const rows = await session.all<SourceRow>(sql, subject, connectorKey ?? null, connectorKey ?? null)
    // A source that is removed and declared again starts at revision 1 again, so the name needs `created_at`.
    const nameOf = (row: SourceRow) => JSON.stringify([subject, row.connector_key, row.created_at, row.revision])
    const found = rows.map((row) => this.#known.get(nameOf(row)))
    for (const [at, row] of rows.entries()) {
      if (found[at]) continue
      const text = `select declaration from source
        where subject = ? and connector_key = ? and created_at = ? and revision = ?`
      const values = [subject, row.connector_key, row.created_at, row.revision]
      const [declaration] = await session.column<string>(text, ...values)
      if (declaration !== undefined) found[at] = this.#known.set(nameOf(row), storedJson(declaration))
    }
    return found.filter((declaration) => declaration !== undefined)
  }
}
