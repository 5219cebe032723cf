import type { SourceDeclaration } from '@pdpp/protocol'
import type { Handle } from '../database.ts'
import type { WriteCall } from './write-message.ts'
import type { WrittenStores } from './written-stores.ts'

/** In a store with more records or blobs, whatever may touch all of them is done in the thread. */
const SMALL_STORE = 2000
/** Previous content of changed records, which an import keeps until it is too old to be undone. */
const SMALL_BYTES = 1_000_000

/**
 * Whether a call may take so long that it has to wait for the thread. Records come in batches of the right size, so they
 * need not. Most calls at a start have nothing to do, so that a start needs no thread.
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
