import { grouped, safeLine, shortLine, weekdayTime, zonedTime } from '../../rendering/safe-text.ts'
import { type Context, type Excerpt, type SearchHit, TITLE_CHARS } from './search-hit.ts'
import { sourceName } from './source-mix.ts'

/** The author and the place that all hits of a page share. They are shown once, above the hits. */
export interface SharedLabels {
  readonly actor: string | undefined
  readonly place: string | undefined
}

export interface HitsAround {
  /** True if there are several sources. Then each hit names its own. */
  readonly isMixed: boolean
  readonly shared: SharedLabels
  /** The place of a record on the page, by its id: `hit 1`, or `see 2` for the neighbour of a hit. */
  readonly shownBy: ReadonlyMap<string, string>
}

/**
 * The lines of one hit: id, time, actor, place, amount, attachments, the source if there are several, the title if it
 * adds something, and the excerpts. A cut excerpt says how to read the rest, and a hit without an excerpt says so
 * (001.1.3). Labels that all hits share are left out here.
 */
export function hitLines(hit: SearchHit, rank: number, { isMixed, shared, shownBy }: HitsAround): string[] {
  const { id, connectionId, actor, place, title, authoredAt } = hit
  const excerpts = shownExcerpts(hit)
  const excerptTexts = new Set(excerpts.map(({ text }) => text))
  const isTitleShown = isComposed(hit) || excerptTexts.has(title) || title === actor || title === place
  const once = (name: string | undefined, all: string | undefined) =>
    name === undefined || name === all || excerptTexts.has(name) ? undefined : shortLine(name, 80)
  const alone = connectionId !== undefined && !id.startsWith(`${connectionId}/`)
  const parts = [
    // Ids from other servers are untrusted; escape them.
    alone || connectionId === undefined ? safeLine(id) : id,
    alone ? `connection_id=${safeLine(connectionId)}` : undefined,
    authoredAt === undefined ? undefined : weekdayTime(authoredAt),
    once(actor, shared.actor),
    place === actor ? undefined : once(place, shared.place),
    hit.amount,
    hit.attachments,
    isMixed ? sourceName(hit) : undefined,
    isTitleShown ? undefined : `"${shortLine(title, TITLE_CHARS)}"`,
  ]
  const head = `${rank}. ${parts.filter((part) => part !== undefined && part !== '').join(' · ')}`
  const previews = [
    ...(hit.begins ? [`   begins: ${textOf(hit.begins)}`] : []),
    ...(hit.context ? [contextLine(hit.context, shownBy)] : []),
  ]
  const lines = [...excerpts.map((excerpt) => `   ${safeLine(excerpt.field)}: ${textOf(excerpt)}`), ...previews]
  return [head, ...(lines.length > 0 ? lines : ['   (no text of it matches; fetch shows the record)'])]
}

/** The excerpts that add something to the actor, place and title in the first line. If there are none, the title. */
function shownExcerpts({ excerpts, actor, place, title, begins }: SearchHit): readonly Excerpt[] {
  const knownParts = new Set([actor, place, title])
  const others = excerpts.filter(({ text, truncated }) => truncated || !knownParts.has(text))
  if (others.length > 0 || begins) return others
  const named = excerpts.find(({ text }) => text === title) ?? excerpts[0]
  return named ? [named] : []
}

/** True if the server built the title from actor, source, place or time, which the line shows anyway. */
function isComposed({ title, actor, place, stream, authoredAt, displayName, connectionId, connectorKey }: SearchHit) {
  const parts = title.split(' / ')
  if (parts.length < 2) return false
  if (authoredAt !== undefined && parts.at(-1)!.startsWith(authoredAt.slice(0, 10))) return true
  const knownParts = new Set([actor, place, stream, displayName, connectionId, connectorKey])
  return parts.every((part) => knownParts.has(part))
}

/** A neighbour is a preview, too: the line names its author and time, and its id leads to the whole record. */
function contextLine({ id, actor, authoredAt, excerpt }: Context, shownBy: HitsAround['shownBy']): string {
  const place = shownBy.get(id)
  if (place !== undefined && !excerpt) return `   context: ${place}`
  const parts = [
    safeLine(id),
    authoredAt === undefined ? undefined : zonedTime(authoredAt),
    actor === undefined ? undefined : shortLine(actor, 80),
    excerpt ? `"${safeLine(excerpt.text)}"${readOn(excerpt)}` : undefined,
  ]
  return `   context: ${parts.filter((part) => part !== undefined).join(' · ')}`
}

const textOf = (excerpt: Excerpt): string => `${safeLine(excerpt.text)}${readOn(excerpt)}`

/** How to read the rest of a cut text. */
function readOn({ field, truncated, start, end, total }: Excerpt): string {
  if (!truncated) return ''
  if (end === undefined) return ' [cut; read_record_field reads it]'
  const next = end < (total ?? Number.POSITIVE_INFINITY) ? end : 0
  return ` [${start}-${end} of ${total === undefined ? '?' : grouped(total)} chars; read_record_field field_path=${JSON.stringify(safeLine(field))} offset_chars=${next}]`
}

export function sharedLabels(hits: readonly SearchHit[]): SharedLabels {
  return { actor: shared(hits.map(({ actor }) => actor)), place: shared(hits.map(({ place }) => place)) }
}

/** For example `All shown: Ines · family`. Matches on other pages can have other labels. */
export function sharedLines({ actor, place }: SharedLabels): string[] {
  const parts = [actor, place].filter((part) => part !== undefined).map((part) => shortLine(part, 80))
  return parts.length === 0 ? [] : [`All shown: ${parts.join(' · ')}`]
}

function shared(values: readonly (string | undefined)[]): string | undefined {
  const [first] = values
  return values.length > 1 && values.every((value) => value === first) ? first : undefined
}
