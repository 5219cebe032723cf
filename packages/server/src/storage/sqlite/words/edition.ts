import { declaredFields, type FieldKind, isTime, parseInstant, type StreamDeclaration } from '@pdpp/protocol'
import { storedJson } from '../../../lib/stored-json.ts'
import { NO_TIME } from '../../../search/segments/document-columns.ts'
import type { IndexedDocument } from '../../../search/segments/segment.ts'
import { columnValue } from '../../records/column-value.ts'
import type { Handle } from '../engine/database.ts'
import { forgetLongTexts } from './long-texts.ts'

/** The indexed members of a record. If a declaration changes any of them, the feed is indexed again. */
export interface EditionSpec {
  /** The search fields, in the order of their slots. */
  readonly fields: readonly string[]
  /** The consent time and the cursor field. */
  readonly times: readonly [TimeField | null, TimeField | null]
  readonly group: string | null
}

interface TimeField {
  readonly field: string
  readonly kind: FieldKind
}

/** One indexing of a feed. */
export interface Edition {
  readonly edition: number
  readonly owner: number
  readonly feed: number
  readonly spec: EditionSpec
  /** The last indexed record while it is being built; null when it is complete. */
  readonly through: number | null
}

/** Slots have eight bits. */
const MAX_SLOTS = 255

export function editionSpec(stream: StreamDeclaration): EditionSpec {
  const kinds = declaredFields(stream)
  const time = (field: string | null | undefined): TimeField | null => {
    const kind = field == null ? undefined : kinds.get(field)
    return kind !== undefined && (isTime(kind) || kind === 'string') ? { field: field!, kind } : null
  }
  return {
    fields: (stream.query?.search?.lexical_fields ?? []).slice(0, MAX_SLOTS),
    times: [time(stream.consent_time_field), time(stream.cursor_field)],
    group: stream.query?.group_field ?? null,
  }
}

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
export function wordOwner(handle: Handle, subjectId: string): number {
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

export function indexedDocument(
  { edition, spec }: Edition,
  number: number,
  members: Readonly<Record<string, unknown>>,
): IndexedDocument {
  const text = (field: string) => (typeof members[field] === 'string' ? members[field] : '')
  return {
    edition,
    number,
    times: [timeOf(spec.times[0], members), timeOf(spec.times[1], members)],
    group: groupOf(spec.group, members),
    texts: spec.fields.map(text),
  }
}

function timeOf(time: TimeField | null, members: Readonly<Record<string, unknown>>): number {
  if (!time) return NO_TIME
  const value = members[time.field]
  const at =
    time.kind === 'string' ? (typeof value === 'string' ? parseInstant(value) : null) : columnValue(time.kind, value)
  return typeof at === 'number' ? at : NO_TIME
}

function groupOf(field: string | null, members: Readonly<Record<string, unknown>>): string | null {
  const value = field === null ? null : members[field]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** True if a change of these members changes what is indexed. */
export function concerns({ spec }: Edition, changed: readonly string[]): boolean {
  const { fields, times, group } = spec
  return changed.some((name) => fields.includes(name) || name === group || times.some((time) => time?.field === name))
}
