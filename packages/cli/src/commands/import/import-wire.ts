import { type Coverage, coverageSum, type ImportPlan, type Progress, type SourceResult } from '@pdpp/importers'
import { noticesText } from './importer-text.ts'

/** Max. files listed in a plan; `file_count` counts all of them. */
const NAMED_FILES = 1000

/** The members of a plan that `--json` and `--jsonl` print. */
export function toWirePlan(plan: ImportPlan) {
  return {
    source: plan.declaration.connector_key,
    ...(plan.connection === undefined ? {} : { connection_id: plan.connection.id, name: plan.connection.name }),
    ...(plan.zone === undefined ? {} : { zone: plan.zone }),
    match: plan.match,
    changes: plan.changes,
    format: plan.format,
    files: plan.inputs.slice(0, NAMED_FILES).map((input) => input.name),
    file_count: plan.inputs.length,
    streams: plan.streams,
    notices: noticesText(plan.notices),
    declaration: plan.declaration,
  }
}

/** The members of an imported source that `--json` and `--jsonl` print. */
export function toWireResult(result: SourceResult) {
  return {
    source: result.source,
    connection_id: result.connectionId,
    name: result.name,
    match: result.match,
    files: result.files,
    file_count: result.fileCount,
    streams: result.streams.map(({ name, recordsRead, days, ...counts }) => ({
      name,
      records_read: recordsRead,
      ...counts,
      ...(days === undefined ? {} : { first_day: days.first, last_day: days.last }),
    })),
    blobs: result.blobs,
    coverage: toWireCoverage(result.coverage),
    problem_count: result.problemCount,
    problems: result.problems,
    notices: noticesText(result.notices),
    seconds: result.seconds,
    interrupted: result.interrupted,
  }
}

/** The progress that `--jsonl` prints while an import runs. */
export function toWireProgress({ input, records, recordsPerSecond, share, secondsLeft }: Progress) {
  return {
    file: input,
    records,
    records_per_second: recordsPerSecond,
    share: share ?? null,
    seconds_left: secondsLeft ?? null,
  }
}

/** The report to the server at the end of an import, without the problems. */
export function toWireEnd(results: readonly SourceResult[], seenFiles: number) {
  const read = results.reduce((sum, { coverage }) => sum + coverage.files.seen, 0)
  return {
    unread_files: Math.max(0, seenFiles - read),
    results: results.map(({ source, connectionId, name, fileCount, streams, coverage }) => ({
      source,
      connection_id: connectionId ?? '',
      name,
      file_count: fileCount,
      streams: streams.map(({ name, recordsRead, refused }) => ({ name, records_read: recordsRead, refused })),
      coverage: toWireCoverage(coverage),
    })),
    problem_count: results.reduce((sum, result) => sum + result.problemCount, 0),
  }
}

/** How much of the export was imported, based on the reader's counts. */
function toWireCoverage({ files, items, kinds, leftOut, unexplained }: Coverage) {
  return {
    files,
    items,
    kinds: kinds.map(({ leftOut: left_out, ...counts }) => ({ ...counts, left_out })),
    left_out: leftOut,
    unexplained,
  }
}

/** The coverage of everything that one command imported, including files that no importer could read. */
export function toWireTotal(results: readonly SourceResult[], unreadFiles: number) {
  const { files, items, unexplained } = coverageSum(
    results.map(({ coverage }) => coverage),
    unreadFiles,
  )
  return { files, items, problems: results.reduce((sum, { problemCount }) => sum + problemCount, 0), unexplained }
}
