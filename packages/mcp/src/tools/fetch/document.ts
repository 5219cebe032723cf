import { authoredTimeIn, countChars, escapeStrings, RESULT_BYTES, sliceGraphemes } from '@pdpp/protocol/reading'
import type { RecordHandle } from '../../calling/record-handle.ts'
import { NOTICE } from '../../calling/result.ts'
import { binaryOf } from '../../rendering/blob.ts'
import { jsonBytes } from '../../rendering/bytes.ts'
import { omittedFieldLines, omittedFieldsOf } from '../../rendering/omitted-fields.ts'
import { relatedText } from '../../rendering/related.ts'
import { safeLine, safeText, shortLine } from '../../rendering/safe-text.ts'
import { type ShortenedField, shortenedField } from '../../rendering/shortened.ts'
import { cell } from '../../rendering/table.ts'
import { objectOf, textOf, warningsOf } from '../../resource-server/envelope.ts'
import { filesOf, type Shortened, truncation } from './document-metadata.ts'

/** The document of the search/fetch contract, without other members. Important members come first (000.7.1). */
export interface Document {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly text: string
}

interface DocumentOptions {
  readonly id: string
  readonly handle: RecordHandle
  readonly url: string
  readonly providerUrl: string
  /** The fields that the caller requested, if any. */
  readonly asked: readonly string[] | undefined
  /** The beginning of a long field that the record only describes. */
  readonly long: { readonly field: string; readonly text: string; readonly totalChars: number } | undefined
}

/** Texts up to this length go among the short fields. The longest text goes last, below its name. */
const SHORT_CHARS = 300
const RELATED_CHARS = 600
const MAX_NAMES_BYTES = 3_000

/** Renders all requested fields, the long text last. Shortens it to fit the budget and says so. */
export function documentOf(record: Readonly<Record<string, unknown>>, options: DocumentOptions): Document {
  const body = bodyOf(record, options.long)
  const { lines, shortened } = shortFields(record, body?.field)
  const head = [...lines, ...emptyFields(record, options.asked), ...omittedFieldLines(record, body?.field)].join('\n')
  const { lines: related, cuts } = relatedText(record, RELATED_CHARS)
  const tail = related.length === 0 ? '' : `\n\n${related.join('\n')}`
  const leftOut = omittedFieldsOf(record, body?.field)
  const compose = (chars: number) => {
    const shown = body === undefined ? '' : sliceGraphemes(body.text, chars)
    const part = body === undefined ? '' : `\n\n${safeLine(body.field)}:\n${safeText(shown)}`
    const cut = cutOf(body, chars === 0 ? 0 : countChars(shown))
    const fields = [...(cut ? [cut] : []), ...shortened]
    return finish(record, options, `${head}${part}${tail}`.trim(), { fields, leftOut, related: cuts })
  }
  const all = body === undefined ? 0 : countChars(body.text)
  const whole = compose(all)
  if (jsonBytes(whole) <= RESULT_BYTES.default) return whole
  let [low, high] = [0, all]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (jsonBytes(compose(middle)) <= RESULT_BYTES.default) low = middle
    else high = middle - 1
  }
  const smaller = compose(low)
  return jsonBytes(smaller) <= RESULT_BYTES.default ? smaller : withoutText(record, options, body)
}

interface LongText {
  readonly field: string
  readonly text: string
  readonly totalChars: number
}

function bodyOf(record: Readonly<Record<string, unknown>>, long: DocumentOptions['long']): LongText | undefined {
  if (long) return long
  const texts = Object.entries(objectOf(record['data'])).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' &&
      (entry[1].length > SHORT_CHARS || entry[1].includes('\n')) &&
      binaryOf(entry[1]) === undefined,
  )
  const [field, text] = texts.sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  return field === undefined ? undefined : { field, text: text!, totalChars: countChars(text!) }
}

function shortFields(record: Readonly<Record<string, unknown>>, body: string | undefined) {
  const shortened: ShortenedField[] = []
  const readOn = (field: string, offset: number) => {
    const cut = shortenedField(field, objectOf(record['data'])[field], offset)
    if (cut) shortened.push(cut)
    return `read_record_field field_path=${JSON.stringify(safeLine(field))}`
  }
  const data = Object.entries(objectOf(record['data']))
  // Leave out the key, which the id contains.
  const fields = data.length > 1 ? data.filter(([, value]) => value !== record['id']) : data
  const lines = fields
    .filter(([name, value]) => name !== body && value !== null && value !== undefined)
    .map(([name, value]) => `${safeLine(name)}: ${cell(value, name, readOn)}`)
  return { lines, shortened }
}

/** Lists requested fields without a value, so that they do not look forgotten. */
function emptyFields(record: Readonly<Record<string, unknown>>, asked: readonly string[] = []): string[] {
  const data = objectOf(record['data'])
  const described = Array.isArray(record['described_fields']) ? record['described_fields'] : []
  const empty = asked.filter((name) => data[name] == null && !described.includes(name))
  return empty.length === 0 ? [] : [`no value: ${empty.map((name) => shortLine(name, 80)).join(', ')}`]
}

function cutOf(body: LongText | undefined, chars: number): ShortenedField | undefined {
  if (body === undefined || chars >= body.totalChars) return
  return { field_path: body.field, shown_chars: chars, total_chars: body.totalChars }
}

function finish(
  record: Readonly<Record<string, unknown>>,
  { id, handle, url, providerUrl }: DocumentOptions,
  text: string,
  shortened: Shortened,
): Document {
  const warnings = warningsOf(record).filter(({ code }) => code !== 'fields_described')
  const metadata = {
    // The next call comes first, because later members may be long.
    ...truncation(id, shortened),
    stream: handle.stream,
    record_key: handle.recordKey,
    ...(handle.connectionId === undefined ? {} : { connection_id: handle.connectionId }),
    ...copied(record, 'connector_key', 'display_name', 'emitted_at'),
    ...filesOf(record, { id, handle, providerUrl }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.slice(0, 5) }),
    notice: NOTICE,
  }
  // Escape here, because the text of the result is this object as JSON and must stay valid JSON.
  return escapeStrings({ id, title: titleOf(record, handle), url, metadata, text }) as Document
}

/** For records with too many fields: lists the field names, so that the model can request some of them. */
function withoutText(
  record: Readonly<Record<string, unknown>>,
  options: DocumentOptions,
  body: LongText | undefined,
): Document {
  const names = Object.keys(objectOf(record['data'])).map(safeLine)
  const shown = names.filter((_name, at) => Buffer.byteLength(names.slice(0, at + 1).join(', ')) <= MAX_NAMES_BYTES)
  const count =
    shown.length < names.length ? ` (${shown.length} of ${names.length}; schema of this stream names them all)` : ''
  const text = `This record is too large for one result. Ask for some of its fields with the fields argument${count}: ${shown.join(', ')}`
  const cut = cutOf(body, 0)
  const leftOut = { count: names.length, names: shown }
  return finish(record, options, text, { fields: cut ? [cut] : [], leftOut, related: [] })
}

/** Uses only requested fields, because others must not appear in the title either (000.7.2). */
function titleOf(record: Readonly<Record<string, unknown>>, handle: RecordHandle): string {
  const data = objectOf(record['data'])
  const own =
    textOf(record['title']) ?? ['title', 'name', 'subject', 'summary'].map((name) => textOf(data[name])).find(Boolean)
  if (own !== undefined) return shortLine(own, 160)
  const label = textOf(record['display_name']) ?? textOf(record['connector_key'])
  const time = authoredTimeIn(data)
  return shortLine(
    [label, handle.stream, time ?? handle.recordKey].filter((part) => part !== undefined).join(' / '),
    160,
  )
}

function copied(record: Readonly<Record<string, unknown>>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = textOf(record[name])
      return value === undefined ? [] : [[name, name === 'display_name' ? shortLine(value, 100) : value]]
    }),
  )
}
