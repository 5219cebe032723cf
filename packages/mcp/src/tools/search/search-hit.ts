import { authoredTimeIn, formatResultId, isName, parseResultId, previewChars } from '@pdpp/protocol/reading'
import { absoluteUrl, type Pages, recordPage } from '../../calling/absolute-url.ts'
import { grouped, shortLine, zonedTime } from '../../rendering/preview.ts'
import { safeLine } from '../../rendering/safe-text.ts'
import { objectOf, textOf } from '../../resource-server/envelope.ts'

/** A hit as this adapter shows it, whichever server and whichever form it came in. */
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
  /** Whether the server has a page for each record, whose address the id gives. */
  readonly pages: boolean
  /** Whether matches stand between highlight tags. */
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

/** Self-contained where the hit says enough; an id that already is stays as it came (003.19). */
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
      // A URL, or another server's own handle: shown as it is.
    }
  }
  const whole = stream !== undefined && recordKey !== undefined
  if (whole && connectionId !== undefined && isName(connectionId) && isName(stream))
    return { id: formatResultId({ connectionId, stream, recordKey }), stream, connectionId }
  return { id: given ?? (whole ? `${stream}:${recordKey}` : ''), stream, connectionId }
}

function fallbackTitle(row: Row, stream: string | undefined): string {
  const label = textOf(row['display_name']) ?? textOf(row['connector_key']) ?? textOf(row['connector_id'])
  // When it was written says more than when it arrived (000.6.1).
  return [label, stream, authoredTimeIn(row)].filter((part) => part !== undefined).join(' / ') || 'Record'
}

/** `2559 cents EUR`. Without a unit the name of the field says the scale: `total_cents 2559 EUR`. */
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
      // Highlight tags are for pages; the words themselves are enough here.
      text: highlighted ? text.replace(/<\/?mark>/g, '') : text,
      truncated: excerpt['truncated'] === true,
      start: number('offset_chars', 'window_start_chars') ?? 0,
      end: number('end_chars', 'window_end_chars'),
      total: number('total_chars'),
    }
  })
}

/**
 * One entry: the complete id, when, who, where, how much, which source where there are several, the title where it says
 * more, and the evidence. A text that goes on says what reads the rest; a hit without proof says so (001.1.3).
 */
export function hitLines(hit: SearchHit, rank: number, labelled: boolean): string[] {
  const { id, connectionId, actor, place, title, authoredAt, excerpts } = hit
  // Who, where and the title stand in the first line: as evidence they are worth another only where there is no other.
  const said = new Set([actor, place, title])
  const telling = excerpts.filter(({ text, truncated }) => truncated || !said.has(text))
  const named = excerpts.find(({ text }) => text === title) ?? excerpts[0]
  const proof = telling.length > 0 || named === undefined ? telling : [named]
  const proven = new Set(proof.map(({ text }) => text))
  const told = isComposed(hit) || proven.has(title) || title === actor || title === place
  const once = (name: string | undefined) => (name === undefined || proven.has(name) ? undefined : shortLine(name, 80))
  const alone = connectionId !== undefined && !id.startsWith(`${connectionId}/`)
  const parts = [
    // An id that is not of our making may be anything.
    alone || connectionId === undefined ? safeLine(id) : id,
    alone ? `connection_id=${safeLine(connectionId)}` : undefined,
    authoredAt === undefined ? undefined : zonedTime(authoredAt),
    once(actor),
    place === actor ? undefined : once(place),
    hit.amount,
    labelled ? sourceName(hit) : undefined,
    told ? undefined : `"${shortLine(title, TITLE_CHARS)}"`,
  ]
  const head = `${rank}. ${parts.filter((part) => part !== undefined && part !== '').join(' · ')}`
  return [head, ...(proof.length > 0 ? proof.map(excerptLine) : ['   (no text of it matches; fetch shows the record)'])]
}

/** A title that a server made of who or the source, where and when: the line says all of these already. */
function isComposed({ title, actor, place, stream, authoredAt, displayName, connectionId, connectorKey }: SearchHit) {
  const parts = title.split(' / ')
  if (parts.length < 2) return false
  if (authoredAt !== undefined && parts.at(-1)!.startsWith(authoredAt.slice(0, 10))) return true
  const said = new Set([actor, place, stream, displayName, connectionId, connectorKey])
  return parts.every((part) => said.has(part))
}

/** What people call the source of a hit. */
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
