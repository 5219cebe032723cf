import { isSensitive, type SourceGroup } from '../../authorization/consent/groups.ts'
import type { OfferedSource } from '../../authorization/consent/offer.ts'
import { KINDS } from '../frame/kind.ts'
import { kindOfSource } from './source-list.ts'

const KIND_ORDER = Object.keys(KINDS)

/** Sources in the order of the page: by kind, everyday kinds first, and sensitive ones last. */
export function inOrder(offer: readonly OfferedSource[]): OfferedSource[] {
  const rank = (source: OfferedSource) => (isSensitive(source) ? 100 : 0) + KIND_ORDER.indexOf(kindOfSource(source))
  return offer.toSorted((a, b) => rank(a) - rank(b))
}

/** The sources by kind, such as mail and photos: kinds with the most sources first, and sensitive ones last. */
export function groupsOf(offer: readonly OfferedSource[]): SourceGroup[] {
  const groups = [...Map.groupBy(offer, kindOfSource)].map(([id, sources]) => ({ id, sources }))
  const rank = ({ id, sources }: SourceGroup) => (id === 'file' ? 2 : sources.every(isSensitive) ? 1 : 0)
  return groups.toSorted((a, b) => rank(a) - rank(b) || b.sources.length - a.sources.length)
}
