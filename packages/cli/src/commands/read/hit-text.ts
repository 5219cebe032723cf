import { objectOf, shortTime, textOf } from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import { authoredTimeIn, formatResultId } from '@pdpp/protocol'
import type { Reader } from '../../provider/reader.ts'
import { bold, cyan, dim, oneLine, terminalColumns, yellow } from '../../terminal/output.ts'
import { cutToWidth, wrap } from '../../terminal/width.ts'

type Row = Readonly<Record<string, unknown>>

const INDENT = '   '
const MAX_TITLE = 160

/** Title, source, time, the words that prove it, and the command that opens the text around them (001.5.2). */
export function hitText(hit: Row, rank: number, reader: Reader): string[] {
  const evidence = rowsIn(hit['evidence_excerpts'])
  const title = oneLine(titleOf(hit))
  const when = timeOf(hit)
  const about = [
    sourceOf(hit),
    hit['stream'],
    hit['actor'],
    hit['place'],
    amountOf(objectOf(hit['amount'])),
    when === undefined ? undefined : shortTime(when),
  ]
  const shown = evidence.flatMap((excerpt) => excerptLines(excerpt, hit, title, evidence.length > 1, reader))
  return [
    `${String(rank).padStart(2)} ${bold(cutToWidth(title, MAX_TITLE))}`,
    `${INDENT}${dim(oneLine(about.filter((part) => part !== undefined && part !== null).join(' · ')))}`,
    ...shown,
    // Found by what is not text: the record itself shows why.
    ...(shown.length === 0 ? [opening(['record', ...recordWords(hit)], reader)] : []),
  ]
}

const sourceOf = (hit: Row): unknown =>
  hit['display_name'] ?? hit['connector_key'] ?? hit['connector_id'] ?? hit['connection_id']

/** Other servers may give no title: then it is said by where and when it is. */
function titleOf(hit: Row): string {
  return (
    textOf(hit['title']) ?? [sourceOf(hit), hit['stream'], timeOf(hit)].filter((part) => part !== undefined).join(' / ')
  )
}

/** When it was written says more than when it arrived (000.6.1). */
const timeOf = (hit: Row): string | undefined => textOf(hit['authored_at']) ?? authoredTimeIn(hit)

/** Without a unit the name of the field says the scale: `total_cents 2559 EUR`. */
function amountOf({ field, value, unit, currency }: Row): string | undefined {
  if (value === undefined) return
  return [unit === undefined ? field : undefined, value, unit, currency].filter((part) => part !== undefined).join(' ')
}

function excerptLines(excerpt: Row, hit: Row, title: string, others: boolean, reader: Reader): string[] {
  const field = String(excerpt['field_path'] ?? '')
  const text = String(excerpt['preview_text'] ?? '')
  // A title that is its own proof is not said twice.
  const same = excerpt['truncated'] !== true && oneLine(text.replace(/<\/?mark>/g, '')) === title
  if (same && others) return []
  const read = objectOf(excerpt['read'])
  const offset = [excerpt['offset_chars'], read['offset_chars']].find((value) => typeof value === 'number')
  const from = typeof offset === 'number' && offset > 0 ? ['--offset', String(offset)] : []
  return [...(same ? [] : evidenceLines(field, text)), opening(['field', ...recordWords(hit, field), ...from], reader)]
}

/** Stand for the tags while lines are broken: they take no room on a terminal, as the tags will not. */
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

/** Without colour the words stand as they are. A mark may run over the end of a line. */
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

/** The id as a search shows it, which names its source; from other servers the parts of it. */
function recordWords(hit: Row, ...more: string[]): string[] {
  const [id, stream, key, connection] = ['id', 'stream', 'record_key', 'connection_id'].map((name) => textOf(hit[name]))
  if (id?.includes('/') || stream === undefined || key === undefined) return [id ?? '', ...more]
  if (connection === undefined) return [stream, key, ...more]
  return [formatResultId({ connectionId: connection, stream, recordKey: key }), ...more]
}

function opening([noun, ...words]: string[], reader: Reader): string {
  return `${INDENT}${cyan(commandLine(reader.command('read', noun!, ...words)))}`
}

const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.map(objectOf) : [])
