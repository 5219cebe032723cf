import type { FieldKind, StreamDeclaration } from '@pdpp/protocol'
import { declaredFields, isTime, parseInstant } from '@pdpp/protocol/reading'
import { RecentCache } from '../../lib/caches/recent-cache.ts'
import { storedJson } from '../../lib/stored-json.ts'
import { ANALYSER } from '../../search/analysis/analyser.ts'
import { searchedText } from '../../search/analysis/searched-text.ts'
import { NO_TIME } from '../../search/segments/document-columns.ts'
import type { IndexedDocument } from '../../search/segments/segment.ts'
import { columnValue } from '../records/column-value.ts'

/**
 * How records are indexed. If a declaration or an update of the server changes any of it, the feed is indexed again.
 */
export interface EditionSpec {
  /** The search fields, in the order of their slots. A slot is the position of a field in this list. */
  readonly fields: readonly string[]
  /** The consent time and the cursor field. */
  readonly times: readonly [TimeField | null, TimeField | null]
  readonly group: string | null
  /** The version of the analyser. The first version did not store it. */
  readonly analyser?: number
}

interface TimeField {
  readonly field: string
  readonly kind: FieldKind
}

/** An edition is one indexing of one feed with certain fields and times. */
export interface Edition {
  readonly edition: number
  readonly owner: number
  readonly feed: number
  readonly spec: EditionSpec
  /** The number of the last indexed record while the edition is being built. Null if it is complete. */
  readonly through: number | null
}

/** A slot is stored in eight bits. */
const MAX_SLOTS = 255

const knownSpecs = new RecentCache<string, EditionSpec>(1000)

/** Returns the same object for the same text, because most feeds of a stream have the same spec. */
export const storedSpec = (text: string): EditionSpec =>
  knownSpecs.get(text) ?? knownSpecs.set(text, storedJson<EditionSpec>(text))

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
    analyser: ANALYSER,
  }
}

/** The spec of an edition that is built anew from the same members. */
export const renewedSpec = (text: string): EditionSpec => ({ ...storedSpec(text), analyser: ANALYSER })

export function indexedDocument(
  { edition, spec }: Edition,
  number: number,
  members: Readonly<Record<string, unknown>>,
): IndexedDocument {
  const [first, second] = spec.times
  const time = timeOf(first, members)
  return {
    edition,
    number,
    times: [time, first?.field === second?.field ? time : timeOf(second, members)],
    group: groupOf(spec.group, members),
    texts: spec.fields.map((field) => searchedText(members[field])),
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

/** True if a change of these members changes the index. */
export function concerns({ spec }: Edition, changed: readonly string[]): boolean {
  const { fields, times, group } = spec
  return changed.some((name) => fields.includes(name) || name === group || times.some((time) => time?.field === name))
}
