import { isSensitive, type SourceGroup } from '../../authorization/consent/groups.ts'
import type { OfferedSource } from '../../authorization/consent/offer.ts'
import { KINDS } from '../frame/kind.ts'
import { kindOfSource } from './line-text.ts'

const KIND_ORDER = Object.keys(KINDS)

/** Sources in the order of the page: by kind, with everyday kinds first and sensitive ones last. */
export function inOrder(offer: readonly OfferedSource[]): OfferedSource[] {
  const rank = (source: OfferedSource) => (isSensitive(source) ? 100 : 0) + KIND_ORDER.indexOf(kindOfSource(source))
  return offer.toSorted((a, b) => rank(a) - rank(b))
}

/**
 * The sources by kind, such as mail and photos. Everyday kinds come first; kinds with only sensitive sources come last.
 */
export function groupsOf(offer: readonly OfferedSource[]): SourceGroup[] {
  const groups = [...Map.groupBy(offer, kindOfSource)].map(([id, sources]) => ({ id, sources }))
  const rank = ({ id, sources }: SourceGroup) => (sources.every(isSensitive) ? 100 : 0) + KIND_ORDER.indexOf(id)
  return groups.toSorted((a, b) => rank(a) - rank(b))
}
