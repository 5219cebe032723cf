import type { SourceDeclaration } from '@pdpp/protocol'
import { LruCache } from '../../../lib/caches/lru-cache.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import type { Session } from '../engine/session.ts'

export interface SourceRow {
  connector_key: string
  created_at: number
  revision: number
}

/**
 * Parsed declarations. Returns the same object for the same declaration, so that other values can be cached with it.
 */
export class Declarations {
  readonly #known = new LruCache<string, SourceDeclaration>(1000)

  /** One source of the owner, or all of them in order. */
  async read(session: Session, subject: number, connectorKey?: string): Promise<SourceDeclaration[]> {
    const sql = `select connector_key, created_at, revision from source
      where subject = ? and (?::text is null or connector_key = ?) order by connector_key`
    const rows = await session.all<SourceRow>(sql, subject, connectorKey ?? null, connectorKey ?? null)
    const found: SourceDeclaration[] = []
    for (const row of rows) {
      const declaration = await this.of(session, subject, row)
      if (declaration) found.push(declaration)
    }
    return found
  }

  /** The declaration of a source whose row was read with other data. */
  async of(session: Session, subject: number, row: SourceRow): Promise<SourceDeclaration | undefined> {
    const { connector_key: key, created_at: createdAt, revision } = row
    // A source that is removed and declared again starts at revision 1 again, so the name needs `created_at`.
    const name = JSON.stringify([subject, key, createdAt, revision])
    const known = this.#known.get(name)
    if (known) return known
    const sql = `select declaration from source
      where subject = ? and connector_key = ? and created_at = ? and revision = ?`
    const [text] = await session.column<string>(sql, subject, key, createdAt, revision)
    return text === undefined ? undefined : this.#known.set(name, storedJson(text))
  }
}
