import { type Edition, type EditionSpec, storedSpec } from '../../words/edition.ts'
import type { Handle } from '../engine/database.ts'
import { forgetLongTexts } from './long-texts.ts'

interface EditionRow {
  edition: number
  owner: number
  feed: number
  spec: string
  through: number | null
}

const COLUMNS = 'edition, owner, feed, spec, through'

export function editionOf(handle: Handle, feed: number): Edition | undefined {
  return handle.cachedUntilWrite(`edition ${feed}`, () => {
    const row = handle.get<EditionRow>(`select ${COLUMNS} from word_edition where feed = ?`, feed)
    return row && fromRow(row)
  })
}

/** The editions of some feeds, by feed. Uses one statement, because there may be hundreds. */
export function editionsOf(handle: Handle, feeds: readonly number[]): Map<number, Edition> {
  const sql = `select ${COLUMNS} from word_edition where feed in (select value from json_each(?))`
  const editions = handle.all<EditionRow>(sql, JSON.stringify(feeds)).flatMap((row) => fromRow(row) ?? [])
  return new Map(editions.map((edition) => [edition.feed, edition]))
}

/** An index of an older version has no spec until it is rebuilt. */
function fromRow({ spec, ...row }: EditionRow): Edition | undefined {
  return spec === '' ? undefined : { ...row, spec: storedSpec(spec) }
}

/** The number of an owner in all tables of the index. */
function wordOwner(handle: Handle, subjectId: string): number {
  handle.run('insert into word_owner (subject_id) values (?) on conflict do nothing', subjectId)
  return handle.column<number>('select owner from word_owner where subject_id = ?', subjectId)[0]!
}

/** The edition of a feed without records is complete from the start. Any other edition must be built. */
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

/** Searches ignore the documents of a dropped edition at once. `WordMerger` removes them from the segments. */
export function dropEdition(handle: Handle, feed: number): void {
  const [owner] = handle.column<number>('delete from word_edition where feed = ? returning owner', feed)
  forgetLongTexts(handle, feed)
  if (owner !== undefined) handle.run('update word_owner set epoch = epoch + 1 where owner = ?', owner)
}
