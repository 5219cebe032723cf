import type { ImportPlan, PlannedField, PlannedStream, SourceResult } from '@pdpp/importers'

export interface SuggestedGrant {
  readonly stream: string
  readonly fields: readonly string[]
  /** The first day of the newest year in the data. Undefined if all data is from that year or has no time. */
  readonly since: string | undefined
}

const MAX_FIELDS = 5
/** Uses of fields by which people recognise a record. */
const IDENTIFYING_USES = ['title', 'who', 'time']
/** Fields that the owner should not grant by just copying a printed line. */
const PRIVATE =
  /(^|_)(pass(word)?|secret|token|key|pin|ssn|iban|card|phone|tel|mobile|e?mails?|address(es)?|handle|birth\w*|personal|private|health|diagnos\w*|about|bio|ip|location|lat(itude)?|lng|lon(gitude)?|geo)(_|$)/i

/**
 * A small and useful part of an import: the most informative stream, the fields that identify a record, and one year.
 */
export function suggestedGrant(
  { streams }: SourceResult,
  { streams: planned }: ImportPlan,
): SuggestedGrant | undefined {
  const filled = planned.filter(({ name }) => (streams.find((each) => each.name === name)?.recordsRead ?? 0) > 0)
  const chosen = filled
    .map((stream) => ({ stream, fields: usefulFields(stream) }))
    .filter(({ fields }) => fields.length > 0)
  const best = chosen.toSorted((a, b) => identifyingCount(b.stream) - identifyingCount(a.stream))[0]
  if (!best) return
  const days = streams.find(({ name }) => name === best.stream.name)?.days
  const newYear = days && `${days.last.slice(0, 4)}-01-01`
  return {
    stream: best.stream.name,
    fields: best.fields,
    since: newYear !== undefined && days!.first < newYear ? newYear : undefined,
  }
}

const isPrivate = ({ name }: PlannedField): boolean => PRIVATE.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'))
const isIdentifying = ({ uses }: PlannedField): boolean => uses.some((use) => IDENTIFYING_USES.includes(use))
const identifyingCount = ({ fields }: PlannedStream): number => fields.filter(isIdentifying).length

function usefulFields({ fields }: PlannedStream): string[] {
  const usable = fields.filter((field) => field.filled > 0 && field.type !== 'json' && !isPrivate(field))
  const identifying = usable.filter(isIdentifying)
  const plain = usable.filter(({ uses }) => !uses.includes('key')).slice(0, 3)
  return (identifying.length > 0 ? identifying : plain).slice(0, MAX_FIELDS).map(({ name }) => name)
}
