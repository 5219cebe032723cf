import { type Edition, type EditionSpec, storedSpec } from '../../words/edition.ts'
import type { Session } from '../engine/session.ts'

export interface EditionRow {
  edition: number
  feed: number
  spec: string
  through: number | null
}

export async function editionsOf(session: Session, subject: number, feeds: readonly number[]): Promise<Edition[]> {
  const sql = 'select edition, feed, spec, through from word_edition where subject = ? and feed = any(?)'
  return (await session.all<EditionRow>(sql, subject, feeds)).map((row) => editionFromRow(subject, row))
}

export function editionFromRow(subject: number, { edition, feed, spec, through }: EditionRow): Edition {
  return { edition, feed, through, owner: subject, spec: storedSpec(spec) }
}

/** The edition of a feed without records is complete from the start. Any other edition must be built. */
export async function createEdition(
  session: Session,
  subject: number,
  { feed, isEmpty }: { feed: number; isEmpty: boolean },
  spec: EditionSpec,
): Promise<void> {
  if (spec.fields.length === 0) return
  await session.run('insert into word_owner (subject) values (?) on conflict do nothing', subject)
  const take = `update word_owner set epoch = epoch + 1, next_edition = next_edition + 1 where subject = ?
    returning next_edition - 1`
  const [edition] = await session.column<number>(take, subject)
  const sql = 'insert into word_edition (subject, edition, feed, spec, through) values (?, ?, ?, ?, ?)'
  await session.run(sql, subject, edition, feed, JSON.stringify(spec), isEmpty ? null : 0)
}

/** Searches ignore the documents of a dropped edition at once. The merger removes them from the segments. */
export async function dropEdition(session: Session, subject: number, feed: number): Promise<void> {
  const dropped = await session.run('delete from word_edition where subject = ? and feed = ?', subject, feed)
  await session.run('delete from search_cut where subject = ? and feed = ?', subject, feed)
  if (dropped > 0) await session.run('update word_owner set epoch = epoch + 1 where subject = ?', subject)
}
