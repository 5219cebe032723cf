import type { ImportPlan, Progress, SourceResult } from '@pdpp/importers'
import { noticesText } from './importer-text.ts'

/** Max. files that a plan names; `file_count` counts all. */
const NAMED_FILES = 1000

/** What `--json` and `--jsonl` print of a plan. */
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

/** What `--json` and `--jsonl` print of a source that was imported. */
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

/** What `--jsonl` prints while an import runs. */
export function toWireProgress({ input, records, recordsPerSecond, share, secondsLeft }: Progress) {
  return {
    file: input,
    records,
    records_per_second: recordsPerSecond,
    share: share ?? null,
    seconds_left: secondsLeft ?? null,
  }
}

/** What the server is told of an import at its end, without its problems. */
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
