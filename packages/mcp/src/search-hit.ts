import { formatResultId, isName, parseResultId } from '@pdpp/protocol/reading'
import { absoluteUrl, type Pages, recordPage } from './absolute-url.ts'
import { grouped, shortLine, zonedTime } from './rendering/preview.ts'
import { safeLine } from './rendering/safe-text.ts'
import { objectOf, textOf } from './resource-server/envelope.ts'

/** A hit as this adapter shows it, whichever server and whichever form it came in. Wire names: it is shown as it is. */
export interface SearchHit {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly stream?: string
  readonly record_key?: string
  readonly connection_id?: string
  readonly connector_key?: string
  readonly display_name?: string
  readonly grant_id?: string
  readonly match?: string
  readonly actor: string | undefined
  readonly place: string | undefined
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
  /** Said once for a page: what a compact hit leaves out. */
  readonly sources: Row
  /** Whether the server has a page for each record; compact hits leave out its address, which the id gives. */
  readonly pages: boolean
}

export function readHit(hit: Row, { sources, providerUrl, origin, pages }: HitsOf): SearchHit {
  const { id, stream, recordKey, connectionId } = identify(hit)
  const row: Row = { ...(connectionId === undefined ? {} : objectOf(sources[connectionId])), ...hit }
  const member = (name: string) => {
    const value = textOf(row[name])
    return value === undefined ? {} : { [name]: value }
  }
  const title = textOf(row['title']) ?? fallbackTitle(row, stream)
  const url = textOf(row['url']) ?? textOf(row['record_url'])
  return {
    id,
    title: shortLine(title, 160),
    url:
      url === undefined && pages && connectionId !== undefined
        ? recordPage(id, { providerUrl, origin })
        : absoluteUrl(url, providerUrl),
    ...(stream === undefined ? {} : { stream }),
    ...(recordKey === undefined ? {} : { record_key: recordKey }),
    ...(connectionId === undefined ? {} : { connection_id: connectionId }),
    ...member('connector_key'),
    ...member('display_name'),
    ...member('grant_id'),
    ...member('match'),
    actor: textOf(row['actor']),
    place: textOf(row['place']),
    authoredAt: textOf(row['authored_at']) ?? textOf(row['sent_at']),
    excerpts: excerptsOf(row),
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
    return { id: formatResultId({ connectionId, stream, recordKey }), stream, recordKey, connectionId }
  return { id: given ?? (whole ? `${stream}:${recordKey}` : ''), stream, recordKey, connectionId }
}

function fallbackTitle(row: Row, stream: string | undefined): string {
  const label = textOf(row['display_name']) ?? textOf(row['connector_key']) ?? textOf(row['connector_id'])
  // When it was written says more than when it arrived (000.6.1).
  const time = textOf(row['authored_at']) ?? textOf(row['sent_at']) ?? textOf(row['emitted_at'])
  return [label, stream, time].filter((part) => part !== undefined).join(' / ') || 'Record'
}

function excerptsOf(row: Row): Excerpt[] {
  const listed = Array.isArray(row['evidence_excerpts']) ? (row['evidence_excerpts'] as Row[]) : []
  return listed.flatMap((excerpt) => {
    const field = textOf(excerpt['field_path'])
    const text = textOf(excerpt['preview_text'])
    if (field === undefined || text === undefined) return []
    const number = (name: string) => (typeof excerpt[name] === 'number' ? (excerpt[name] as number) : undefined)
    return {
      field,
      // Highlight tags are for pages; the words themselves are enough here.
      text: row['object'] === undefined ? text : text.replace(/<\/?mark>/g, ''),
      truncated: excerpt['truncated'] === true,
      start: number('window_start_chars') ?? 0,
      end: number('window_end_chars'),
      total: number('total_chars'),
    }
  })
}

/**
 * One entry: the complete id, when, who, where, which source, the title where it says more, and the evidence. A text
 * that goes on says what reads the rest; a hit without proof in a text says so and invents none (001.1.3).
 */
export function hitLines(hit: SearchHit, rank: number): string[] {
  const label = [
    hit.authoredAt === undefined ? undefined : zonedTime(hit.authoredAt),
    hit.actor === undefined ? undefined : shortLine(hit.actor, 80),
    hit.place === undefined ? undefined : shortLine(hit.place, 80),
    shortLine(hit.display_name ?? hit.connector_key ?? '', 60) || undefined,
  ].filter((part) => part !== undefined)
  // Who, where and the title stand in the first line: as evidence they are worth another only where there is no other.
  const said = new Set([hit.actor, hit.place, hit.title])
  const telling = hit.excerpts.filter(({ text, truncated }) => truncated || !said.has(text))
  const proof = telling.length > 0 ? telling : hit.excerpts
  const composed =
    hit.title.includes(' / ') && hit.authoredAt !== undefined && hit.title.endsWith(hit.authoredAt.slice(0, 10))
  const title = composed || proof.some(({ text }) => text === hit.title) ? [] : [`"${hit.title}"`]
  const alone = hit.connection_id !== undefined && !hit.id.startsWith(`${hit.connection_id}/`)
  // An id that is not of our making may be anything.
  const id = alone || hit.connection_id === undefined ? safeLine(hit.id) : hit.id
  const head = `${rank}. ${[id, ...(alone ? [`connection_id=${hit.connection_id}`] : []), ...label, ...title].join(' · ')}`
  return [head, ...(proof.length > 0 ? proof.map(excerptLine) : ['   (no text of it matches; fetch shows the record)'])]
}

function excerptLine({ field, text, truncated, start, end, total }: Excerpt): string {
  if (!truncated) return `   ${safeLine(field)}: ${safeLine(text)}`
  const reach =
    end === undefined
      ? ''
      : ` [${start}-${end} of ${total === undefined ? '?' : grouped(total)} chars; read_record_field field_path=${JSON.stringify(safeLine(field))} offset_chars=${end < (total ?? Number.POSITIVE_INFINITY) ? end : 0}]`
  return `   ${safeLine(field)}: ${safeLine(text)}${reach || ' [cut; read_record_field reads it]'}`
}
