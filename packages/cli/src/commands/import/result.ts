import type { ImportPlan, PlannedStream, ReportedProblem, Skipped, SourceResult } from '@pdpp/importers'
import { typedCommand } from '../../invocation.ts'
import { bold, dim, printLine, safe } from '../../terminal/output.ts'

const SHOWN_PROBLEMS = 10
const SHOWN_SKIPPED = 5

export function saySkipped(skipped: readonly Skipped[]): void {
  for (const { file, reason } of skipped.slice(0, SHOWN_SKIPPED))
    process.stderr.write(`Left out: ${safe(file)} ${reason}.\n`)
  if (skipped.length > SHOWN_SKIPPED) process.stderr.write(`Left out: ${skipped.length - SHOWN_SKIPPED} more files.\n`)
}

/** Prints new, changed and unchanged records, problems, and what to do next. */
export function printResult(result: SourceResult, plan: ImportPlan, dryRun: boolean): void {
  const number = (value: number) => value.toLocaleString('en')
  const rows = result.streams.map((stream) =>
    dryRun
      ? `${stream.name}: ${number(stream.recordsRead)} records would be imported`
      : `${stream.name}: ${number(stream.new)} new, ${number(stream.changed)} changed, ${number(stream.unchanged)} unchanged${stream.refused > 0 ? `, ${number(stream.refused)} refused` : ''}`,
  )
  const pace = dryRun ? '' : dim(` in ${result.seconds.toFixed(1)} s`)
  if (rows.length === 0) printLine('No records.')
  else if (rows.length === 1) printLine(`${bold(rows[0]!)}${pace}`)
  else {
    printLine(`${bold(result.source)}${pace}`)
    for (const row of rows) printLine(`  ${row}`)
  }
  printFiles(result)
  printProblems(result)
  if (result.interrupted)
    printLine('Stopped before the end. Run the same command again: records that are there are not imported twice.')
  else if (!dryRun && result.match !== 'same' && result.connectionId !== null) printNextStep(result.connectionId, plan)
}

function printFiles({ blobs: { sent, bytes, unchanged } }: SourceResult): void {
  if (sent + unchanged === 0) return
  const number = (value: number) => value.toLocaleString('en')
  printLine(`  files: ${number(sent)} sent (${number(bytes)} bytes), ${number(unchanged)} there already`)
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

function printNextStep(connectionId: string, { streams, declaration }: ImportPlan): void {
  const tellingOf = ({ fields }: PlannedStream) =>
    fields.filter(({ uses }) => uses.some((use) => ['title', 'who', 'time'].includes(use)))
  const shown = streams.toSorted((a, b) => tellingOf(b).length - tellingOf(a).length)[0]!
  const telling = tellingOf(shown)
  const fields = (telling.length > 0 ? telling : shown.fields.slice(0, 3)).map(({ name }) => name)
  const timed = declaration.streams.find(({ name }) => name === shown.name)?.consent_time_field != null
  const since = timed ? ` --since ${new Date().getUTCFullYear() - 1}-01-01` : ''
  printLine()
  printLine('Hand a part of it to an agent:')
  printLine(
    `  ${typedCommand()} owner grant create --client "My agent" --connection ${connectionId} --stream ${quoted(`${shown.name}:${fields.join(',')}`)}${since}`,
  )
}

const quoted = (word: string): string => (/^[\w:.,@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
