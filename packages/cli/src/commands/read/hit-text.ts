import { objectOf, readHit, type SearchHit, shortTime } from '@pdpp/mcp-server/client'
import { bold, cyan, dim, oneLine, terminalColumns, yellow } from '../../output.ts'
import type { Body, Reader } from '../../provider/reader.ts'
import { commandLine } from '../../terminal/shell-quote.ts'
import { wrap } from '../../terminal/width.ts'

type Row = Readonly<Record<string, unknown>>

const INDENT = '   '

/** Title, source, time, the words that prove it, and the command that opens the text around them (001.5.2). */
export function hitText(row: Row, rank: number, body: Body, reader: Reader): string[] {
  const hit = readHit(row, objectOf(objectOf(body['meta'])['sources']), reader.connection.providerUrl)
  const evidence = rowsIn(row['evidence_excerpts'])
  const about = [
    hit.display_name ?? hit.connector_key ?? hit.connection_id,
    hit.stream,
    hit.actor,
    hit.place,
    hit.authoredAt === undefined ? undefined : shortTime(hit.authoredAt),
  ].filter((part) => part !== undefined)
  return [
    `${String(rank).padStart(2)} ${bold(oneLine(hit.title))}`,
    `${INDENT}${dim(oneLine(about.join(' · ')))}`,
    ...evidence.flatMap((excerpt) => excerptLines(excerpt, hit, reader)),
    ...(evidence.length === 0 ? [opening(['record', ...recordWords(hit)], reader)] : []),
  ]
}

function excerptLines(excerpt: Row, hit: SearchHit, reader: Reader): string[] {
  const field = String(excerpt['field_path'] ?? '')
  const text = String(excerpt['preview_text'] ?? '')
  const read = objectOf(excerpt['read'])
  const offset = [read['offset_chars'], excerpt['window_start_chars']].find((value) => typeof value === 'number')
  const words = [
    ...recordWords(hit),
    field,
    ...(typeof offset === 'number' && offset > 0 ? ['--offset', String(offset)] : []),
  ]
  // A title that is its own proof is not said twice.
  const plain = text.replace(/<\/?mark>/g, '')
  const shown = excerpt['truncated'] !== true && oneLine(plain) === oneLine(hit.title) ? [] : evidenceLines(field, text)
  return shown.length === 0 && rowsIn(hit.excerpts).length > 1 ? [] : [...shown, opening(['field', ...words], reader)]
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

function recordWords(hit: SearchHit): string[] {
  if (hit.id.includes('/') || hit.connection_id === undefined) return [hit.id]
  return [hit.id, '--connection', hit.connection_id]
}

function opening([noun, ...words]: string[], reader: Reader): string {
  return `${INDENT}${cyan(commandLine(reader.command('read', noun!, ...words)))}`
}

const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.map(objectOf) : [])
