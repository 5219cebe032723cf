import type { SourceDeclaration } from '@pdpp/protocol'
import { storedJson } from '../../../lib/stored-json.ts'
import type { Handle } from '../engine/database.ts'

/** Returns the same object for the same declaration, so that other values can be cached with it. */
export function readDeclaration(
  handle: Handle,
  subjectId: string,
  connectorKey: string,
): SourceDeclaration | undefined {
  return handle.cachedUntilWrite(JSON.stringify(['source', subjectId, connectorKey]), () => {
    const sql = 'select created_at, revision from source where subject_id = ? and connector_key = ?'
    const row = handle.get<{ created_at: number; revision: number }>(sql, subjectId, connectorKey)
    if (!row) return
    // A source that is removed and declared again starts at revision 1 again, so the name needs `created_at`.
    return handle.cachedForever(
      JSON.stringify(['source', subjectId, connectorKey, row.created_at, row.revision]),
      () => {
        const text = 'select declaration from source where subject_id = ? and connector_key = ?'
        return storedJson(handle.get<{ declaration: string }>(text, subjectId, connectorKey)!.declaration)
      },
    )
  })
}
