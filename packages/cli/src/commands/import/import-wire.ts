import type { ImportPlan, Progress, SourceResult } from '@pdpp/importers'
import { noticesText } from './importer-text.ts'

/** Max. files that a plan names; `file_count` counts all. */
const NAMED_FILES = 1000

/** The members of a plan that `--json` and `--jsonl` print. */
export function toWirePlan(plan: ImportPlan) {
  return {
    source: plan.declaration.connector_key,
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
    match: result.match,
    files: result.files,
    file_count: result.fileCount,
    streams: result.streams.map(({ name, recordsRead, ...counts }) => ({
      name,
      records_read: recordsRead,
      ...counts,
    })),
    blobs: result.blobs,
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
export function toWireEnd(results: readonly SourceResult[]) {
  return {
    results: results.map(({ source, connectionId, fileCount, streams }) => ({
      source,
      connection_id: connectionId ?? '',
      file_count: fileCount,
      streams: streams.map(({ name, recordsRead, refused }) => ({ name, records_read: recordsRead, refused })),
    })),
    problem_count: results.reduce((sum, result) => sum + result.problemCount, 0),
  }
}
