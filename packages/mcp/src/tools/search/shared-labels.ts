import { shortLine } from '../../rendering/preview.ts'
import { shownExcerpts } from './hit-text.ts'
import type { SearchHit } from './search-hit.ts'

/** What all hits of a page have in common. It is said once, above them. */
export interface SharedLabels {
  readonly actor: string | undefined
  readonly place: string | undefined
  /** The field of all excerpts. */
  readonly field: string | undefined
}

export function sharedLabels(hits: readonly SearchHit[]): SharedLabels {
  return {
    actor: shared(hits.map(({ actor }) => actor)),
    place: shared(hits.map(({ place }) => place)),
    field: shared(hits.flatMap((hit) => shownExcerpts(hit).map(({ field }) => field))),
  }
}

/** For example `All: actor Ines, place family, field text.` */
export function sharedText({ actor, place, field }: SharedLabels): string {
  const named = { actor, place, field }
  const parts = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${shortLine(value, 80)}`],
  )
  return parts.length === 0 ? '' : ` All: ${parts.join(', ')}.`
}

function shared(values: readonly (string | undefined)[]): string | undefined {
  const [first] = values
  return values.length > 1 && values.every((value) => value === first) ? first : undefined
}
