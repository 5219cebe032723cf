import {
  filledText,
  type ImportPlan,
  mergedStreams,
  type PlannedField,
  type PlannedStream,
  timeAndTitleFirst,
} from '@pdpp/importers'
import { previewChars } from '@pdpp/protocol'
import { bold, dim, printLine, safe, table } from '../../terminal/output.ts'
import { noticesText } from './importer-text.ts'

const MANY_STREAMS = 3
const CELL_CHARS = 32
const EXAMPLE_FIELDS = 8
const MAX_NOTICES = 12

/** Prints the plan for the files of one source before the import starts. */
export function printPlan(plans: readonly ImportPlan[], isAdded: boolean, number?: number): void {
  const first = plans[0]!
  const files = plans.flatMap((plan) => plan.inputs.map((input) => input.name))
  if (first.connection) printLine(bold(safe(first.connection.name)))
  printLine(
    `${number === undefined ? '' : dim(`[${number}] `)}${bold(fileWords(files))} ${dim(`(${[...new Set(plans.map((plan) => plan.format))].join(', ')})`)}`,
  )
  printLine(matchText(first, plans, isAdded))
  printLine()
  const streams = mergedStreams(plans.flatMap((plan) => plan.streams))
  if (streams.length > MANY_STREAMS) printStreamList(streams, Object.keys(first.streamByTable).length > 1)
  else for (const stream of streams) printStream(stream, streams.length > 1)
  const notices = noticesText(plans.flatMap((plan) => plan.notices))
  for (const notice of notices.slice(0, MAX_NOTICES)) printLine(`  ${dim('·')} ${safe(notice)}`)
  if (notices.length > MAX_NOTICES) printLine(`  ${dim('·')} and ${notices.length - MAX_NOTICES} more like these`)
  if (notices.length > 0) printLine()
}

function fileWords(files: readonly string[]): string {
  const shown = files.slice(0, 3).map(safe).join(', ')
  return files.length > 3 ? `${shown} and ${(files.length - 3).toLocaleString('en')} more files` : shown
}

function matchText(first: ImportPlan, plans: readonly ImportPlan[], isAdded: boolean): string {
  const { connector_key: key } = first.declaration
  const changes = plans.flatMap((plan) => plan.changes)
  const extended = changes.length === 0 ? '' : `: ${changes.map(safe).join(', ')}`
  switch (first.match) {
    case 'new':
      return `  A new source, "${key}"${extended === '' ? '.' : `${extended}.`}`
    case 'same':
      if (isAdded) return `  New, in the source "${key}".`
      return changes.length === 0
        ? `  The source "${key}", imported before: only what is new or changed is added.`
        : `  The source "${key}", imported before, also gets${extended}.`
    case 'extended':
      return `  The source "${key}", imported before, also gets${extended}.`
  }
}

function printStream(stream: PlannedStream, named: boolean): void {
  const rows = stream.sampled.toLocaleString('en')
  const looked = stream.complete ? `${rows} items` : `based on the first ${rows} items`
  const total = stream.expected === undefined || stream.complete ? '' : ` of ${stream.expected.toLocaleString('en')}`
  if (named) printLine(`  ${bold(stream.name)} ${dim(`${looked}${total}`)}`)
  else printLine(dim(`  Stream "${stream.name}", ${looked}${total}`))
  if (stream.sampled > 0) printFields(stream)
  for (const example of stream.examples) printLine(`    ${dim(exampleText(example, stream.fields))}`)
  if (stream.examples.length > 0) printLine()
}

function printFields(stream: PlannedStream): void {
  const cells = stream.fields.map((field) => [field.name, field.type, filledText(field, stream), field.uses.join(', ')])
  for (const line of table(['FIELD', 'TYPE', 'FILLED', 'USED AS'], cells)) printLine(`    ${line}`)
  printLine()
}

function exampleText(data: Readonly<Record<string, unknown>>, fields: readonly PlannedField[]): string {
  return timeAndTitleFirst(fields.filter(({ name }) => Object.hasOwn(data, name) && !isEmpty(data[name])))
    .slice(0, EXAMPLE_FIELDS)
    .map(({ name }) => valueText(data[name]))
    .join(dim(' | '))
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return previewChars(safe(text.slice(0, 500).replace(/\s+/g, ' ')), CELL_CHARS)
}

/** Prints one line per stream, for a database with many tables. */
function printStreamList(streams: readonly PlannedStream[], hasTables: boolean): void {
  const named = (stream: PlannedStream, use: string) =>
    stream.fields
      .filter(({ uses }) => uses.includes(use))
      .map(({ name }) => name)
      .join(', ')
  const cells = streams.map((stream) => [
    stream.name,
    countWords(stream),
    String(stream.fields.length),
    named(stream, 'key'),
    named(stream, 'time') || '(none)',
    previewChars(named(stream, 'searched'), 40) || '(nothing)',
  ])
  for (const line of table(['STREAM', 'RECORDS', 'FIELDS', 'KEY', 'TIME', 'SEARCHED'], cells)) printLine(`    ${line}`)
  printLine()
  if (hasTables) printLine(dim('    To see one table with its fields: --table <name>.\n'))
}

/** All records of one kind may come after the sampled part of an export. */
function countWords({ expected, sampled, complete }: PlannedStream): string {
  if (expected === undefined && !complete) return sampled === 0 ? 'not seen yet' : `${sampled.toLocaleString('en')}+`
  return (expected ?? sampled).toLocaleString('en')
}
