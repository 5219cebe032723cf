import type { SourceDeclaration } from '@pdpp/protocol'
import type { Handle } from '../database.ts'
import type { WriteCall } from './write-message.ts'
import type { WrittenStores } from './written-stores.ts'

/** In a store with more records or blobs, the writing thread does all work that may touch every one of them. */
const SMALL_STORE = 2000
/**
 * Max. bytes of previous content that the main thread deletes itself. An import keeps the previous content of changed
 * records until it is too old to be undone.
 */
const SMALL_BYTES = 1_000_000

/**
 * Whether a call may take so long that only the writing thread may run it. Calls with records are small enough, because
 * they come in batches of the right size. Most calls during a start have nothing to do, so a start needs no thread.
 */
export function isLargeWork(stores: WrittenStores, reader: Handle, { store, method, values }: WriteCall): boolean {
  switch (`${store}.${method}`) {
    case 'records.resume':
      return stores.records.needsResume() && hasManyRecords(reader)
    case 'records.wipe':
    case 'records.erase':
    case 'connections.remove':
    case 'imports.undo':
    case 'imports.removeUnused':
    case 'upkeep.rebuildIndexes':
      return hasManyRecords(reader)
    case 'sources.declare': {
      const [subjectId, declaration] = values as [string, SourceDeclaration]
      return !stores.sources.isDeclared(subjectId, declaration) && isLargeSource(reader, subjectId, declaration)
    }
    case 'imports.remove':
    case 'imports.prune':
      return reader.get('select 1 from import where before_bytes > ? limit 1', SMALL_BYTES) !== undefined
    case 'blobs.sweep':
    case 'blobs.removeUnreferenced':
      return reader.get('select 1 from blob limit 1 offset ?', SMALL_STORE) !== undefined
    default:
      return false
  }
}

const RECORDS = 'select coalesce(sum(record_count), 0) n from feed'

const hasManyRecords = (reader: Handle): boolean => reader.get<{ n: number }>(RECORDS)!.n > SMALL_STORE

function isLargeSource(reader: Handle, subjectId: string, { connector_key: key }: SourceDeclaration): boolean {
  const sql = `${RECORDS} join stream s using (stream_no) where s.subject_id = ? and s.connector_key = ?`
  return reader.get<{ n: number }>(sql, subjectId, key)!.n > SMALL_STORE
}
