import type { ReadScope } from '../../grants/read-scope.ts'
import { EXCERPT_SIZES, NEIGHBOUR_CHARS, PREVIEW_CHARS } from '../hits/hit-size.ts'
import { type EvidenceExcerpt, type EvidenceField, type EvidenceWord, evidenceOf } from './evidence.ts'
import type { Label } from './label.ts'
import { beginningOf, isLabel, type Preview, passageOf, writtenField } from './preview.ts'

/** A record that was read for a hit, with the matches in each of its search fields. */
export interface ScannedRecord {
  readonly scope: ReadScope
  readonly label: Label
  /** The part of the record that the scope includes. */
  readonly members: Readonly<Record<string, unknown>>
  readonly fields: readonly EvidenceField[]
}

/** The texts that a hit shows, apart from its label. */
export interface HitEvidence {
  readonly excerpts: readonly EvidenceExcerpt[]
  /** Shorter excerpts, for the first hit only: a page shows it even if it is too large. */
  readonly shortExcerpts: readonly EvidenceExcerpt[]
  /** How the text begins, if no excerpt shows any of it. */
  readonly begins: Preview | undefined
}

export interface EvidenceOptions {
  readonly words: readonly EvidenceWord[]
  readonly highlight: boolean
  readonly isFirst: boolean
  /**
   * True if only neighbouring records have words of the query. Then a function word in this record proves nothing
   * either.
   */
  readonly isContext: boolean
}

export function hitEvidence(record: ScannedRecord, options: EvidenceOptions): HitEvidence {
  const { words, highlight, isFirst, isContext } = options
  const { label, fields } = record
  if (isContext) return { excerpts: [], shortExcerpts: [], begins: beginningOfRecord(record) }
  const texts = new Map(fields.map(({ path, text }) => [path, text]))
  const isName = ({ field_path }: EvidenceExcerpt) => {
    const text = texts.get(field_path)
    return text === label.actor || text === label.container || Array.isArray(record.members[field_path])
  }
  const proofs = evidenceOf(fields, words, EXCERPT_SIZES.full.chars, highlight)
  const begins = proofs.every(isName) ? beginningOfRecord(record) : undefined
  // A text that the label already shows becomes an excerpt only if there is nothing else to show.
  const isLast = begins === undefined && proofs.every(({ field_path }) => isLabel(texts.get(field_path)!, label))
  const shown = (excerpts: readonly EvidenceExcerpt[], max: number) =>
    excerpts.filter(({ field_path }) => isLast || !isLabel(texts.get(field_path)!, label)).slice(0, max)
  const short = isFirst ? evidenceOf(fields, words, EXCERPT_SIZES.small.chars, highlight) : []
  return {
    excerpts: shown(proofs, EXCERPT_SIZES.full.maxExcerpts),
    shortExcerpts: shown(short, EXCERPT_SIZES.small.maxExcerpts),
    begins,
  }
}

function beginningOfRecord(
  { scope, label, members, fields }: ScannedRecord,
  chars = PREVIEW_CHARS,
): Preview | undefined {
  const searched = fields.map(({ path }) => path)
  const path = writtenField(scope, searched, members, label)
  return path === undefined ? undefined : beginningOf(path, members[path] as string, chars)
}

/** The best passage of the neighbour of a hit that has no word of the query itself, as a preview. */
export function neighbourPreview(record: ScannedRecord, words: readonly EvidenceWord[]): Preview | undefined {
  const { label, fields } = record
  const texts = new Map(fields.map(({ path, text }) => [path, text]))
  const passages = evidenceOf(fields, words, NEIGHBOUR_CHARS, false)
  const passage = passages.find(({ field_path }) => !isLabel(texts.get(field_path)!, label)) ?? passages[0]
  return passage ? passageOf(passage) : beginningOfRecord(record, NEIGHBOUR_CHARS)
}
