import { storedJson } from '../../../lib/stored-json.ts'
import type { Edition, EditionSpec } from '../../words/edition.ts'
import type { Handle } from '../engine/database.ts'
import { forgetLongTexts } from './long-texts.ts'

interface EditionRow {
  edition: number
  owner: number
  spec: string
  through: number | null
}

export function editionOf(handle: Handle, feed: number): Edition | undefined {
  return handle.cachedUntilWrite(`edition ${feed}`, () => {
    const sql = 'select edition, owner, spec, through from word_edition where feed = ?'
    const row = handle.get<EditionRow>(sql, feed)
    // The spec of an index that an older version made is not known before it is built again.
    if (!row || row.spec === '') return
    const { edition, owner, spec, through } = row
    return { edition, owner, feed, through, spec: handle.cachedForever(`edition ${edition}`, () => storedJson(spec)) }
  })
}

/** The number that stands for an owner in all tables of the index. */
function wordOwner(handle: Handle, subjectId: string): number {
  handle.run('insert into word_owner (subject_id) values (?) on conflict do nothing', subjectId)
  return handle.column<number>('select owner from word_owner where subject_id = ?', subjectId)[0]!
}

/** The edition of a feed without records is complete from the start. Any other must be built. */
export function createEdition(
  handle: Handle,
  { feed, subjectId, isEmpty }: { feed: number; subjectId: string; isEmpty: boolean },
  spec: EditionSpec,
): void {
  if (spec.fields.length === 0) return
  const owner = wordOwner(handle, subjectId)
  const sql = 'insert into word_edition (owner, feed, spec, through) values (?, ?, ?, ?)'
  handle.run(sql, owner, feed, JSON.stringify(spec), isEmpty ? null : 0)
  handle.run('update word_owner set epoch = epoch + 1 where owner = ?', owner)
}

/** Searches leave the documents of a dropped edition out at once. `WordMerger` removes them from the segments. */
export function dropEdition(handle: Handle, feed: number): void {
  const [owner] = handle.column<number>('delete from word_edition where feed = ? returning owner', feed)
  forgetLongTexts(handle, feed)
  if (owner !== undefined) handle.run('update word_owner set epoch = epoch + 1 where owner = ?', owner)
}
