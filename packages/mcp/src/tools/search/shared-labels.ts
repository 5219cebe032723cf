import { shortLine } from '../../rendering/preview.ts'
import type { SearchHit } from './search-hit.ts'

/** Who wrote all hits of a page, and where all of them are. It is said once, above them. */
export interface SharedLabels {
  readonly actor: string | undefined
  readonly place: string | undefined
}

export function sharedLabels(hits: readonly SearchHit[]): SharedLabels {
  return { actor: shared(hits.map(({ actor }) => actor)), place: shared(hits.map(({ place }) => place)) }
}

/** For example `All hits: Ines · family`. */
export function sharedLines({ actor, place }: SharedLabels): string[] {
  const parts = [actor, place].filter((part) => part !== undefined).map((part) => shortLine(part, 80))
  return parts.length === 0 ? [] : [`All hits: ${parts.join(' · ')}`]
}

function shared(values: readonly (string | undefined)[]): string | undefined {
  const [first] = values
  return values.length > 1 && values.every((value) => value === first) ? first : undefined
}
