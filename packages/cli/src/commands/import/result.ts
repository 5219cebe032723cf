import {
  coverageSum,
  coverageText,
  type ImportPlan,
  leftOutText,
  type ReportedProblem,
  type Skipped,
  type SourceResult,
} from '@pdpp/importers'
import { typedCommand } from '../../invocation.ts'
import { bold, dim, printLine, safe } from '../../terminal/output.ts'
import { noticesText } from './importer-text.ts'
import { suggestedGrant } from './suggested-grant.ts'

const SHOWN_PROBLEMS = 10
const SHOWN_SKIPPED = 5
const SHOWN_LEFT_OUT = 8

export function saySkipped(skipped: readonly Skipped[]): void {
  for (const { file, reason } of skipped.slice(0, SHOWN_SKIPPED))
    process.stderr.write(`Skipped: ${safe(file)} ${reason}.\n`)
  if (skipped.length > SHOWN_SKIPPED) process.stderr.write(`Skipped: ${skipped.length - SHOWN_SKIPPED} more files.\n`)
}

/** Prints new, changed and unchanged records, problems, and the next step. */
export function printResult(result: SourceResult, dryRun: boolean): void {
  const number = (value: number) => value.toLocaleString('en')
  const filled = result.streams.filter(({ recordsRead }) => recordsRead > 0)
  // Many exports leave some streams of a source empty, so empty streams are not listed.
  const rows = (filled.length > 0 ? filled : result.streams.slice(0, 1)).map((stream) =>
    dryRun
      ? `${stream.name}: ${number(stream.recordsRead)} items would be imported`
      : `${stream.name}: ${number(stream.new)} new, ${number(stream.changed)} changed, ${number(stream.unchanged)} unchanged${stream.refused > 0 ? `, ${number(stream.refused)} refused` : ''}`,
  )
  const pace = dryRun ? '' : dim(` in ${result.seconds.toFixed(1)} s`)
  if (rows.length === 0) printLine('No items.')
  else if (rows.length === 1) printLine(`${bold(rows[0]!)}${pace}`)
  else {
    printLine(`${bold(safe(result.name))}${pace}`)
    for (const row of rows) printLine(`  ${row}`)
  }
  printFiles(result)
  // With --yes, the owner did not see the plan.
  for (const notice of zoneNotices(result)) printLine(dim(`  ${safe(notice)}`))
  printLeftOut(result)
  printProblems(result)
  if (result.interrupted) printLine('Stopped before the end. Run the same command again: nothing is imported twice.')
}

export interface Imported {
  readonly result: SourceResult
  readonly plan: ImportPlan
}

/** Prints one suggestion even for an import of many sources, about the new source with the most records. */
export function printNextStep(imported: readonly Imported[]): void {
  const size = ({ result }: Imported) => result.streams.reduce((sum, { recordsRead }) => sum + recordsRead, 0)
  const added = imported.filter(({ result: { match, connectionId, interrupted } }) => {
    return match !== 'same' && connectionId !== null && !interrupted
  })
  const largest = added.toSorted((a, b) => size(b) - size(a))[0]
  const suggestion = largest && suggestedGrant(largest.result, largest.plan)
  if (!largest || !suggestion) return
  const { stream, fields, since } = suggestion
  printLine()
  printLine(`To let an agent read a part of ${added.length === 1 ? 'it' : safe(largest.result.name)}:`)
  printLine(
    `  ${typedCommand()} owner grant create --client "My agent" --connection ${largest.result.connectionId} --stream ${quoted(`${stream}:${fields.join(',')}`)}${since === undefined ? '' : ` --since ${since}`}`,
  )
}

function printFiles({ blobs: { sent, bytes, unchanged } }: SourceResult): void {
  if (sent + unchanged === 0) return
  const number = (value: number) => value.toLocaleString('en')
  printLine(`  files: ${number(sent)} sent (${number(bytes)} bytes), ${number(unchanged)} there already`)
}

const zoneNotices = ({ notices }: SourceResult): string[] =>
  noticesText(
    notices.filter(
      (notice) => typeof notice === 'object' && (notice.code === 'local_times' || notice.code === 'no_time_zone'),
    ),
  )

function printLeftOut({ coverage: { leftOut } }: SourceResult): void {
  for (const each of leftOut.slice(0, SHOWN_LEFT_OUT)) printLine(dim(`  skipped: ${safe(leftOutText(each))}`))
  const more = leftOut.length - SHOWN_LEFT_OUT
  if (more > 0) printLine(dim(`  skipped for ${more} more reasons; --json lists them`))
}

/** The last line of an import: how much of the export was imported. */
export function printCoverage(results: readonly SourceResult[], unreadFiles: number): void {
  const sum = coverageSum(
    results.map(({ coverage }) => coverage),
    unreadFiles,
  )
  const problems = results.reduce((count, result) => count + result.problemCount, 0)
  printLine()
  const isStopped = results.some(({ interrupted }) => interrupted)
  printLine(`Coverage${isStopped ? ' so far' : ''}: ${coverageText(sum, problems)}.`)
}

function printProblems({ problems, problemCount: count }: SourceResult): void {
  if (count === 0) return
  printLine(`${bold(`${count.toLocaleString('en')} problem${count === 1 ? '' : 's'}`)}`)
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) {
    const shown = problem.excerpt === undefined ? '' : dim(` "${safe(problem.excerpt)}"`)
    printLine(`  ${placeText(problem)}: ${safe(problem.reason)}${problem.imported ? '' : ' (not imported)'}${shown}`)
  }
  if (count > SHOWN_PROBLEMS)
    printLine(dim(`  and ${(count - SHOWN_PROBLEMS).toLocaleString('en')} more; --jsonl prints all of them`))
}

function placeText({ file, table, row, line }: ReportedProblem): string {
  const where = [table ?? '', row === undefined ? '' : `row ${row}`, line === undefined ? '' : `line ${line}`]
  return [safe(file), ...where.filter((part) => part !== '').map(safe)].join(', ')
}

const quoted = (word: string): string => (/^[\w:.,@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
