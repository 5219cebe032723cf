import { attachmentsText, type JsonObject, objectOf, objectsOf, textOf, weekdayTime } from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import { authoredTimeIn, formatResultId } from '@pdpp/protocol'
import type { Reader } from '../../provider/reader.ts'
import { bold, cyan, dim, oneLine, terminalColumns, yellow } from '../../terminal/output.ts'
import { typed } from '../../terminal/typed.ts'
import { cutToWidth, wrap } from '../../terminal/width.ts'

const INDENT = '   '
const MAX_TITLE = 160

/** The lines of a search hit: title, source, time, excerpts, and the command that shows their context (001.5.2). */
export function hitText(hit: Readonly<JsonObject>, rank: number, reader: Reader): string[] {
  const evidence = objectsOf(hit['evidence_excerpts'])
  const title = oneLine(titleOf(hit))
  const when = timeOf(hit)
  const about = [
    sourceOf(hit),
    hit['stream'],
    hit['actor'],
    hit['place'],
    amountOf(objectOf(hit['amount'])),
    attachmentsText(objectOf(hit['attachments'])),
    when === undefined ? undefined : weekdayTime(when),
  ]
  const excerpts = [
    ...evidence.flatMap((excerpt) => excerptLines(excerpt, hit, title, evidence.length > 1, reader)),
    ...previewLines(hit, reader),
  ]
  return [
    `${String(rank).padStart(2)} ${bold(cutToWidth(title, MAX_TITLE))}`,
    `${INDENT}${dim(oneLine(about.filter((part) => part !== undefined && part !== null).join(' · ')))}`,
    ...excerpts,
    // Without an excerpt, show the command for the whole record.
    ...(excerpts.length === 0 ? [openCommand(['record', ...recordWords(hit)], reader)] : []),
  ]
}

const sourceOf = (hit: Readonly<JsonObject>): unknown =>
  hit['display_name'] ?? hit['connector_key'] ?? hit['connector_id'] ?? hit['connection_id']

/** Other servers may send no title. Then source, stream and time replace it. */
function titleOf(hit: Readonly<JsonObject>): string {
  return (
    textOf(hit['title']) ?? [sourceOf(hit), hit['stream'], timeOf(hit)].filter((part) => part !== undefined).join(' / ')
  )
}

/** The time of writing says more than the time of arrival (000.6.1). */
const timeOf = (hit: Readonly<JsonObject>): string | undefined => textOf(hit['authored_at']) ?? authoredTimeIn(hit)

/** Without a unit, the field name shows the scale: `total_cents 2559 EUR`. */
function amountOf({ field, value, unit, currency }: Readonly<JsonObject>): string | undefined {
  if (value === undefined) return
  return [unit === undefined ? field : undefined, value, unit, currency].filter((part) => part !== undefined).join(' ')
}

function excerptLines(
  excerpt: Readonly<JsonObject>,
  hit: Readonly<JsonObject>,
  title: string,
  others: boolean,
  reader: Reader,
): string[] {
  const field = String(excerpt['field_path'] ?? '')
  const text = String(excerpt['preview_text'] ?? '')
  // Do not repeat an excerpt that is the title.
  const same = excerpt['truncated'] !== true && oneLine(text.replace(/<\/?mark>/g, '')) === title
  if (same && others) return []
  const read = objectOf(excerpt['read'])
  const offset = [excerpt['offset_chars'], read['offset_chars']].find((value) => typeof value === 'number')
  const from = typeof offset === 'number' && offset > 0 ? ['--offset', String(offset)] : []
  return [
    ...(same ? [] : evidenceLines(field, text)),
    openCommand(['field', ...recordWords(hit, field), ...from], reader),
  ]
}

/**
 * Previews of a hit that was found by its author or its neighbour, and of that neighbour. They are not evidence for the
 * words.
 */
function previewLines(hit: Readonly<JsonObject>, reader: Reader): string[] {
  const [begins, context] = [objectOf(hit['begins']), objectOf(hit['context'])]
  const [own, beside] = [textOf(begins['preview_text']), textOf(context['preview_text'])]
  const id = textOf(context['id'])
  const from = (preview: Readonly<JsonObject>) =>
    preview['truncated'] === true ? ['--offset', String(preview['end_chars'])] : []
  return [
    ...(own === undefined
      ? []
      : [
          ...evidenceLines('begins', plain(own)),
          openCommand(['field', ...recordWords(hit, String(begins['field_path'])), ...from(begins)], reader),
        ]),
    ...(id === undefined
      ? []
      : [
          ...(beside === undefined ? [] : evidenceLines(contextLabel(context), plain(beside))),
          openCommand(['record', id], reader),
        ]),
  ]
}

/** Author and time of a hit's neighbour: `context, Ines, Mon 2026-03-02 09:00`. */
function contextLabel(context: Readonly<JsonObject>): string {
  const when = textOf(context['authored_at'])
  const about = ['context', textOf(context['actor']), when === undefined ? undefined : weekdayTime(when)]
  return about.filter((part) => part !== undefined).join(', ')
}

/** A preview never contains our tags, so tags in it are escaped. */
const plain = (text: string): string => text.replace(/<(?=\/?mark>)/g, '‹')

/** Zero-width characters that replace the tags while lines are broken, so that the tags do not count as width. */
const [OPEN, CLOSE] = ['\u2061', '\u2062']

function evidenceLines(field: string, text: string): string[] {
  const room = (terminalColumns() ?? 100) - INDENT.length - 2
  const marked = oneLine(text.replaceAll(OPEN, '').replaceAll(CLOSE, ''))
    .replaceAll('<mark>', OPEN)
    .replaceAll('</mark>', CLOSE)
  return [
    `${INDENT}${dim(`${oneLine(field)}:`)}`,
    ...highlighted(wrap(marked, room)).map((line) => `${INDENT}  ${line}`),
  ]
}

/** Colours the marked words. A mark may continue on the next line. */
function highlighted(lines: readonly string[]): string[] {
  let open = false
  return lines.map((line) =>
    line
      .split(new RegExp(`([${OPEN}${CLOSE}])`))
      .map((part) => {
        if (part === OPEN || part === CLOSE) {
          open = part === OPEN
          return ''
        }
        return open && part !== '' ? yellow(bold(part)) : part
      })
      .join(''),
  )
}

/** The words that name the hit's record in a command: its id, or the parts of the id for other servers. */
function recordWords(hit: Readonly<JsonObject>, ...more: string[]): string[] {
  const [id, stream, key, connection] = ['id', 'stream', 'record_key', 'connection_id'].map((name) => textOf(hit[name]))
  if (id?.includes('/') || stream === undefined || key === undefined) return [id ?? '', ...more]
  if (connection === undefined) return [stream, key, ...more]
  return [formatResultId({ connectionId: connection, stream, recordKey: key }), ...more]
}

function openCommand([noun, ...words]: string[], reader: Reader): string {
  return `${INDENT}${cyan(typed(commandLine(reader.command('read', noun!, ...words))))}`
}
