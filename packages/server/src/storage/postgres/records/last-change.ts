import { touchesSql } from '../../records/change-mask.ts'
import { joinConditions } from '../../records/conditions.ts'
import type { Feed } from './feeds.ts'
import type { RecordRows } from './record-rows.ts'
import { tombstoneConditions } from './scope-sql.ts'

/**
 * The time when a visible record of a feed last changed or left the scope. The time of the very last change would
 * reveal writes that the grant hides.
 */
export async function lastChange(rows: RecordRows, { feed, capturedAt }: Feed): Promise<number | undefined> {
  const { scope, layout, subject, limits: visible } = rows
  // Only the owner sees every field, and therefore every write.
  if (scope.usable === 'all') return capturedAt
  const wasVisible = joinConditions(tombstoneConditions(scope, 'g'))
  const sql = `select at from (
      (select l.version, l.emitted_at at from change l
        join record r on r.subject = l.subject and r.feed = l.feed and r.id = l.record
        where l.subject = ? and l.feed = ? and l.deleted = 0 and ${touchesSql(layout, scope.usable, 'l')}
          and ${visible.sql} order by l.version desc limit 1)
      union all
      (select g.version, g.at from tombstone g where g.subject = ? and g.feed = ? and ${wasVisible.sql}
        order by g.version desc limit 1)) x
    order by version desc limit 1`
  const values = [subject, feed, ...visible.values, subject, feed, ...wasVisible.values]
  return (await rows.session.column<number>(sql, ...values))[0]
}
