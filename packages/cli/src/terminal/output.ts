import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { colourWanted } from '../config/env.ts'
import { typed } from './typed.ts'
import { displayWidth, padToWidth } from './width.ts'

let jsonLines = false
let continuesWithoutReader = false

/** Lets the command finish its work after the reader of its output has closed the pipe. */
export function finishWithoutReader(): void {
  continuesWithoutReader = true
}

export const endsUnread = (): boolean => !continuesWithoutReader

/** `--jsonl`: `printJson` prints each row of a list on its own line. */
export function useJsonLines(): void {
  jsonLines = true
}

export function printJson(value: unknown): void {
  if (!jsonLines) {
    printLine(JSON.stringify(value, null, 2))
    return
  }
  const rows = (value as { data?: unknown } | null)?.data
  for (const row of Array.isArray(rows) ? rows : [value]) printLine(JSON.stringify(row))
}

export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** Prints one of our own sentences, with its commands as they are typed here. Not for data. */
export const printHint = (line: string): void => printLine(typed(line))

/** Writes a long output and waits until the reader has taken it, to bound memory. */
export async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Prints a hint to standard error, so that it never ends up in a pipe. */
export function printNote(line: string): void {
  const text = typed(line)
  process.stderr.write(`${colourWanted(process.stderr) ? `\u001b[2m${text}\u001b[22m` : text}\n`)
}

export function printWarning(code: string, message: string): void {
  process.stderr.write(`warning: ${safe(code)}: ${safe(message)}\n`)
}

export function printError(message: string, nextStep: string | undefined): void {
  // Both may contain untrusted names of files, columns and streams.
  const step = nextStep === undefined ? '' : `      ${safeBlock(typed(nextStep))}\n`
  process.stderr.write(`pdpp: ${safeBlock(typed(message))}\n${step}`)
}

/** Makes untrusted text safe to print: replaces characters that move the cursor or reverse the text. */
export function safe(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd')
}

/** Untrusted text, put on one line. */
export function oneLine(text: string): string {
  return safe(text.replace(/\s+/gu, ' ').trim())
}

/** Untrusted text, with its line breaks. */
export function safeBlock(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').split('\n').map(safe).join('\n')
}

const styled = (on: number, off: number) => (text: string) =>
  colourWanted(process.stdout) ? `\u001b[${on}m${text}\u001b[${off}m` : text

export const bold = styled(1, 22)
export const dim = styled(2, 22)
export const red = styled(31, 39)
export const green = styled(32, 39)
export const yellow = styled(33, 39)
export const cyan = styled(36, 39)

/** Width of the terminal, or undefined if standard output is not a terminal. */
export function terminalColumns(): number | undefined {
  return process.stdout.isTTY ? Math.max(40, process.stdout.columns ?? 80) : undefined
}

export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const line of table(headings, rows)) printLine(line)
}

/** Lines of a table whose columns are as wide as their longest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(safe))
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => displayWidth(row[column] ?? ''))),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => padToWidth(cell, widths[column]!))
      .join('  ')
      .trimEnd()
  return [dim(line(headings)), ...cells.map(line)]
}
