import { authoredTimeIn, formatResultId, isName, madeTitle, parseResultId, previewChars } from '@pdpp/protocol/reading'
import { absoluteUrl, type Pages, recordPage } from '../../calling/absolute-url.ts'
import { shortLine } from '../../rendering/safe-text.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '../../resource-server/envelope.ts'

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
  readonly attachments: string | undefined
  readonly authoredAt: string | undefined
  readonly excerpts: readonly Excerpt[]
  /**
   * The beginning of the text, for a hit that was found by its author or its neighbour. It is not evidence for the
   * words (point 41).
   */
  readonly begins: Excerpt | undefined
  readonly context: Context | undefined
}

export interface Excerpt {
  readonly field: string
  readonly text: string
  readonly truncated: boolean
  readonly start: number
  readonly end: number | undefined
  readonly total: number | undefined
}

/** A neighbour of the hit that contains the words. Without an excerpt, the result shows it further up. */
export interface Context {
  readonly id: string
  readonly actor: string | undefined
  readonly authoredAt: string | undefined
  readonly excerpt: Excerpt | undefined
}

export interface HitsOf extends Pages {
  /** True if the server has a page for each record. The id gives its address. */
  readonly pages: boolean
  /** True if matches are inside highlight tags. */
  readonly highlighted: boolean
  /** True if the server leaves out titles that can be made from the other members. */
  readonly madeTitles: boolean
}

export const TITLE_CHARS = 160

export function readHit(
  row: Readonly<JsonObject>,
  { providerUrl, origin, pages, highlighted, madeTitles }: HitsOf,
): SearchHit {
  const { id, stream, connectionId } = identify(row)
  const url = textOf(row['url']) ?? textOf(row['record_url'])
  return {
    id,
    title: previewChars(
      textOf(row['title']) ?? (madeTitles ? titleOf(row, stream) : fallbackTitle(row, stream)),
      TITLE_CHARS,
    ),
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
    attachments: attachmentsText(objectOf(row['attachments'])),
    authoredAt: textOf(row['authored_at']) ?? writtenTime(row),
    excerpts: excerptsOf(row['evidence_excerpts'], highlighted),
    begins: excerptsOf([row['begins']], false)[0],
    context: contextOf(objectOf(row['context'])),
  }
}

/** The time when the record was written, never when it arrived. */
function writtenTime({ emitted_at: _arrived, ...written }: Readonly<JsonObject>): string | undefined {
  return authoredTimeIn(written)
}

/**
 * The id with its connection, if the hit has all parts. An id that already contains its connection stays unchanged
 * (003.19).
 */
function identify(row: Readonly<JsonObject>) {
  const ownId = textOf(row['id'])
  const stream = textOf(row['stream'])
  const recordKey = textOf(row['record_key']) ?? textOf(row['record_id'])
  const connectionId = textOf(row['connection_id'])
  if (ownId?.includes('/')) {
    try {
      const { connectionId: source, ...parsed } = parseResultId(ownId)
      if (source !== undefined)
        return { id: formatResultId({ connectionId: source, ...parsed }), connectionId: source, ...parsed }
    } catch {
      // A URL, or a handle of another server. It is shown unchanged.
    }
  }
  const whole = stream !== undefined && recordKey !== undefined
  if (whole && connectionId !== undefined && isName(connectionId) && isName(stream))
    return { id: formatResultId({ connectionId, stream, recordKey }), stream, connectionId }
  return { id: ownId ?? (whole ? `${stream}:${recordKey}` : ''), stream, connectionId }
}

const sourceOf = (row: Readonly<JsonObject>): string | undefined =>
  textOf(row['display_name']) ?? textOf(row['connector_key']) ?? textOf(row['connector_id'])

/** Makes the title that the server left out. */
function titleOf(row: Readonly<JsonObject>, stream: string | undefined): string {
  const place = textOf(row['place']) ?? stream
  return madeTitle({ actor: textOf(row['actor']), source: sourceOf(row), place, time: textOf(row['authored_at']) })
}

function fallbackTitle(row: Readonly<JsonObject>, stream: string | undefined): string {
  // The time of writing says more than the time of arrival (000.6.1).
  return [sourceOf(row), stream, authoredTimeIn(row)].filter((part) => part !== undefined).join(' / ') || 'Record'
}

/** For example `2559 cents EUR`. Without a unit, the field name shows the scale: `total_cents 2559 EUR`. */
function amountText({ field, value, unit, currency }: Readonly<JsonObject>): string | undefined {
  if (typeof value !== 'number' && textOf(value) === undefined) return
  const parts = [unit === undefined ? field : undefined, value, unit, currency]
  return shortLine(parts.filter((part) => part !== undefined).join(' '), 80)
}

/** Marks a record with files: `[image]`, `[2 files]`, or `[files]` if the number is unknown. */
export function attachmentsText({ kind, count }: Readonly<JsonObject>): string | undefined {
  const name = textOf(kind)
  if (name === undefined) return
  const many = name === 'audio' ? name : `${name}s`
  return `[${shortLine(count === 1 ? name : typeof count === 'number' ? `${count} ${many}` : many, 40)}]`
}

function contextOf(row: Readonly<JsonObject>): Context | undefined {
  const id = textOf(row['id'])
  if (id === undefined) return
  const [excerpt] = excerptsOf([row], false)
  return { id, actor: textOf(row['actor']), authoredAt: textOf(row['authored_at']), excerpt }
}

function excerptsOf(listed: unknown, highlighted: boolean): Excerpt[] {
  return objectsOf(listed).flatMap((excerpt) => {
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
