import { join } from 'node:path'
import Database from 'better-sqlite3'
import { decodeColumns } from '../../../search/segments/document-columns.ts'
import { decodeTerms } from '../../../search/segments/word-part.ts'
import { LISTED } from './segment-rows.ts'

interface SegmentRow {
  readonly segment: number
  readonly age: number
  readonly state: number
  readonly columns: Uint8Array
  readonly parts: Uint8Array
}

/** Reads the files of a store and returns all problems of its word index. */
export function indexProblems(directory: string): string[] {
  const db = new Database(join(directory, 'pdpp.db'), { readonly: true })
  const problems: string[] = []
  const dead = new Map(
    (db.prepare('select edition, number, before from word_dead').raw().all() as number[][]).map(
      ([edition, number, before]) => [`${edition} ${number}`, before!],
    ),
  )
  const editions = db
    .prepare('select e.edition, e.feed, e.through, f.stream_no from word_edition e join feed f using (feed)')
    .all() as { edition: number; feed: number; through: number | null; stream_no: number }[]
  const alive = new Map<string, number>()
  const segments = db.prepare('select segment, age, state, columns, parts from word_segment').all() as SegmentRow[]
  for (const { segment, age, columns: bytes } of segments.filter(({ state }) => state === LISTED)) {
    const { runs, numbers } = decodeColumns(bytes)
    for (const { edition, start, end } of runs) {
      if (!editions.some((one) => one.edition === edition)) problems.push(`segment ${segment} has a dropped edition`)
      for (let doc = start; doc < end; doc++) {
        const name = `${edition} ${numbers[doc]}`
        if ((dead.get(name) ?? 0) > age) continue
        alive.set(name, (alive.get(name) ?? 0) + 1)
      }
    }
  }
  for (const { edition, feed, through, stream_no: streamNo } of editions) {
    const numbers = db.prepare(`select id from r${streamNo} where feed = ?`).pluck().all(feed) as number[]
    for (const number of numbers.filter((one) => through === null || one <= through)) {
      const times = alive.get(`${edition} ${number}`) ?? 0
      if (times !== 1) problems.push(`record ${number} is ${times} times in the index`)
      alive.delete(`${edition} ${number}`)
    }
  }
  for (const name of alive.keys()) problems.push(`${name} is no record`)
  problems.push(...unlistedRows(db, segments))
  db.close()
  return problems
}

/** Words of segments that are not listed, and words that are missing. */
function unlistedRows(db: Database.Database, segments: readonly SegmentRow[]): string[] {
  const problems: string[] = []
  for (const { segment, state } of segments)
    if (state !== LISTED) problems.push(`segment ${segment} is left in state ${state}`)
  const known = new Set(segments.map(({ segment }) => segment))
  const holders = { word_part: 'id / 65536', word_segment_edition: 'segment' }
  for (const [table, column] of Object.entries(holders))
    for (const segment of db.prepare(`select distinct ${column} from ${table}`).pluck().all() as number[])
      if (!known.has(segment)) problems.push(`${table} has rows of segment ${segment}`)
  for (const { segment, parts } of segments) {
    const stored = db.prepare('select count(*) from word_part where id / 65536 = ?').pluck().get(segment)
    if (decodeTerms(parts).length !== stored) problems.push(`segment ${segment} lacks words`)
  }
  return problems
}
