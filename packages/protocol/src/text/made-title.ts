/** The facts that the title of a record without one is made of. */
export interface TitleParts {
  readonly actor: string | undefined
  /** Who or what it comes from, if nobody wrote it. */
  readonly source: string | undefined
  readonly place: string | undefined
  readonly time: string | undefined
}

/**
 * The title of a record that has none: who or its source, where, and when. A server can leave it out of a hit that has
 * these facts anyway, and an adapter makes the same one of them.
 */
export function madeTitle({ actor, source, place, time }: TitleParts): string {
  const parts = [actor ?? source, place, time === undefined ? undefined : momentOf(time)]
  return parts.filter(Boolean).join(' / ')
}

/** Includes the time of day, because records of one day would look the same: `2026-01-31 09:30Z`. */
function momentOf(time: string): string {
  const [, day, minute, second, zone = ''] =
    /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:[.,]\d+)?([Zz]|[+-]\d\d:?\d\d)?$/.exec(time) ?? []
  if (day === undefined) return time.slice(0, 10)
  return `${day} ${minute}${second === '00' ? '' : `:${second}`}${zone.toUpperCase()}`
}
