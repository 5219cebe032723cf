import { stripVTControlCharacters } from 'node:util'
import { colourWanted } from './config/env.ts'

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** Names come from other people: what could move the cursor or turn the text around is shown, not obeyed. */
export function safe(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd')
}

export function bold(text: string): string {
  return colourWanted(process.stdout) ? `\u001b[1m${text}\u001b[22m` : text
}

export function dim(text: string): string {
  return colourWanted(process.stdout) ? `\u001b[2m${text}\u001b[22m` : text
}

export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const line of table(headings, rows)) printLine(line)
}

/** Columns as wide as their longest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(safe))
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return [dim(line(headings)), ...cells.map(line)]
}
