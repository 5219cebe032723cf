/** The facts from which a title is made for a record without one. */
export interface TitleParts {
  readonly actor: string | undefined
  /** The source, for a record that nobody wrote. */
  readonly source: string | undefined
  readonly place: string | undefined
  readonly time: string | undefined
}

/**
 * The title of a record that has none: author or source, place, and time. A server can leave the title out of a hit
 * that has these facts anyway, because an adapter makes the same title from them.
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
