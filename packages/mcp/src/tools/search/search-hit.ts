import { authoredTimeIn, formatResultId, isName, parseResultId, previewChars } from '@pdpp/protocol/reading'
import { absoluteUrl, type Pages, recordPage } from '../../calling/absolute-url.ts'
import { grouped, shortLine, zonedTime } from '../../rendering/preview.ts'
import { safeLine } from '../../rendering/safe-text.ts'
import { objectOf, textOf } from '../../resource-server/envelope.ts'

/** A search hit, read from the answer of any server. */
export interface SearchHit {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly connectionId: string | undefined
  readonly connectorKey: string | undefined
  readonly stream: string | undefined
  readonly displayName: string | undefined
  readonly match: string | undefined
  readonly actor: string | undefined
  readonly place: string | undefined
  readonly amount: string | undefined
  readonly authoredAt: string | undefined
  readonly excerpts: readonly Excerpt[]
}

interface Excerpt {
  readonly field: string
  readonly text: string
  readonly truncated: boolean
  readonly start: number
  readonly end: number | undefined
  readonly total: number | undefined
}

type Row = Readonly<Record<string, unknown>>

export interface HitsOf extends Pages {
  /** True if the server has a page for each record. The id gives its address. */
  readonly pages: boolean
  /** True if matches are inside highlight tags. */
  readonly highlighted: boolean
}

const TITLE_CHARS = 160

export function readHit(row: Row, { providerUrl, origin, pages, highlighted }: HitsOf): SearchHit {
  const { id, stream, connectionId } = identify(row)
  const { emitted_at: _arrived, ...written } = row
  const url = textOf(row['url']) ?? textOf(row['record_url'])
  return {
    id,
    title: previewChars(textOf(row['title']) ?? fallbackTitle(row, stream), TITLE_CHARS),
    url:
      url === undefined && pages && connectionId !== undefined
        ? recordPage(id, { providerUrl, origin })
        : absoluteUrl(url, providerUrl),
    connectionId,
    connectorKey: textOf(row['connector_key']) ?? textOf(row['connector_id']),
    stream,
    displayName: textOf(row['display_name']),
    match: textOf(row['match']),
    actor: textOf(row['actor']),
    place: textOf(row['place']),
    amount: amountText(objectOf(row['amount'])),
    authoredAt: textOf(row['authored_at']) ?? authoredTimeIn(written),
    excerpts: excerptsOf(row, highlighted),
  }
}

/** An id with its connection, if the hit has all parts. An id that has its connection stays unchanged (003.19). */
function identify(row: Row) {
  const given = textOf(row['id'])
  const stream = textOf(row['stream'])
  const recordKey = textOf(row['record_key']) ?? textOf(row['record_id'])
  const connectionId = textOf(row['connection_id'])
  if (given?.includes('/')) {
    try {
      const { connectionId: source, ...parsed } = parseResultId(given)
      if (source !== undefined)
        return { id: formatResultId({ connectionId: source, ...parsed }), connectionId: source, ...parsed }
    } catch {
      // A URL, or a handle of another server. Show it unchanged.
    }
  }
  const whole = stream !== undefined && recordKey !== undefined
  if (whole && connectionId !== undefined && isName(connectionId) && isName(stream))
    return { id: formatResultId({ connectionId, stream, recordKey }), stream, connectionId }
  return { id: given ?? (whole ? `${stream}:${recordKey}` : ''), stream, connectionId }
}

function fallbackTitle(row: Row, stream: string | undefined): string {
  const label = textOf(row['display_name']) ?? textOf(row['connector_key']) ?? textOf(row['connector_id'])
  // The time of writing tells more than the time of arrival (000.6.1).
  return [label, stream, authoredTimeIn(row)].filter((part) => part !== undefined).join(' / ') || 'Record'
}

/** For example `2559 cents EUR`. Without a unit, the field name tells the scale: `total_cents 2559 EUR`. */
function amountText({ field, value, unit, currency }: Row): string | undefined {
  if (typeof value !== 'number' && textOf(value) === undefined) return
  const parts = [unit === undefined ? field : undefined, value, unit, currency]
  return shortLine(parts.filter((part) => part !== undefined).join(' '), 80)
}

function excerptsOf(row: Row, highlighted: boolean): Excerpt[] {
  const listed = Array.isArray(row['evidence_excerpts']) ? (row['evidence_excerpts'] as Row[]) : []
  return listed.flatMap((excerpt) => {
    const field = textOf(excerpt['field_path'])
    const text = textOf(excerpt['preview_text'])
    if (field === undefined || text === undefined) return []
    const number = (...names: string[]) =>
      names.map((name) => excerpt[name]).find((value): value is number => typeof value === 'number')
    return {
      field,
      // Models do not need highlight tags.
      text: highlighted ? text.replace(/<\/?mark>/g, '') : text,
      truncated: excerpt['truncated'] === true,
      start: number('offset_chars', 'window_start_chars') ?? 0,
      end: number('end_chars', 'window_end_chars'),
      total: number('total_chars'),
    }
  })
}

/**
 * The lines of one hit: id, time, actor, place, amount, the source if there are several, the title if it adds something,
 * and the excerpts. A cut excerpt says how to read the rest, and a hit without an excerpt says so (001.1.3).
 */
export function hitLines(hit: SearchHit, rank: number, labelled: boolean): string[] {
  const { id, connectionId, actor, place, title, authoredAt, excerpts } = hit
  // The first line already has actor, place and title. Show one as an excerpt only if there is no other excerpt.
  const knownParts = new Set([actor, place, title])
  const otherExcerpts = excerpts.filter(({ text, truncated }) => truncated || !knownParts.has(text))
  const named = excerpts.find(({ text }) => text === title) ?? excerpts[0]
  const shownExcerpts = otherExcerpts.length > 0 || named === undefined ? otherExcerpts : [named]
  const excerptTexts = new Set(shownExcerpts.map(({ text }) => text))
  const isTitleShown = isComposed(hit) || excerptTexts.has(title) || title === actor || title === place
  const once = (name: string | undefined) =>
    name === undefined || excerptTexts.has(name) ? undefined : shortLine(name, 80)
  const alone = connectionId !== undefined && !id.startsWith(`${connectionId}/`)
  const parts = [
    // Ids from other servers are untrusted; escape them.
    alone || connectionId === undefined ? safeLine(id) : id,
    alone ? `connection_id=${safeLine(connectionId)}` : undefined,
    authoredAt === undefined ? undefined : zonedTime(authoredAt),
    once(actor),
    place === actor ? undefined : once(place),
    hit.amount,
    labelled ? sourceName(hit) : undefined,
    isTitleShown ? undefined : `"${shortLine(title, TITLE_CHARS)}"`,
  ]
  const head = `${rank}. ${parts.filter((part) => part !== undefined && part !== '').join(' · ')}`
  return [
    head,
    ...(shownExcerpts.length > 0
      ? shownExcerpts.map(excerptLine)
      : ['   (no text of it matches; fetch shows the record)']),
  ]
}

/** True if the server composed the title of actor, source, place or time, which the line shows anyway. */
function isComposed({ title, actor, place, stream, authoredAt, displayName, connectionId, connectorKey }: SearchHit) {
  const parts = title.split(' / ')
  if (parts.length < 2) return false
  if (authoredAt !== undefined && parts.at(-1)!.startsWith(authoredAt.slice(0, 10))) return true
  const knownParts = new Set([actor, place, stream, displayName, connectionId, connectorKey])
  return parts.every((part) => knownParts.has(part))
}

/** The name of the hit's source for people. */
export function sourceName({ displayName, connectionId, connectorKey }: SearchHit): string {
  return shortLine(displayName ?? connectionId ?? connectorKey ?? 'unknown source', 60)
}

function excerptLine({ field, text, truncated, start, end, total }: Excerpt): string {
  if (!truncated) return `   ${safeLine(field)}: ${safeLine(text)}`
  const reach =
    end === undefined
      ? ''
      : ` [${start}-${end} of ${total === undefined ? '?' : grouped(total)} chars; read_record_field field_path=${JSON.stringify(safeLine(field))} offset_chars=${end < (total ?? Number.POSITIVE_INFINITY) ? end : 0}]`
  return `   ${safeLine(field)}: ${safeLine(text)}${reach || ' [cut; read_record_field reads it]'}`
}
