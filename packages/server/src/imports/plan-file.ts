import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { ImportPlan, PlannedStream } from '@pdpp/importers'

/** A plan that refers to its files by number. */
export interface KeptPlan extends Omit<ImportPlan, 'inputs'> {
  readonly importer: string
  readonly inputs: readonly number[]
}

/** The plans of one source. The owner confirms them together. */
export interface SourcePlan {
  readonly source: string
  readonly fileNames: readonly string[]
  readonly fileCount: number
  readonly plans: readonly KeptPlan[]
}

/**
 * The file is in the folder of the uploaded files and is removed with them, because it contains samples of their data.
 */
const NAME = 'plan.json'
const SAMPLE_CHARS = 300

export function writePlan(folder: (name: string) => string, plan: readonly SourcePlan[]): void {
  writeFileSync(folder(`${NAME}.new`), JSON.stringify(plan), { mode: 0o600 })
  renameSync(folder(`${NAME}.new`), folder(NAME))
}

export function readPlan(folder: (name: string) => string): SourcePlan[] | undefined {
  try {
    return JSON.parse(readFileSync(folder(NAME), 'utf8'))
  } catch {
    return
  }
}

/** Shortens sampled values to a length that can be shown. */
export function withShortSamples(stream: PlannedStream): PlannedStream {
  const short = (value: unknown): unknown => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text !== undefined && text.length > SAMPLE_CHARS ? `${text.slice(0, SAMPLE_CHARS)}…` : value
  }
  const examples = stream.examples.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, short(value)])),
  )
  return { ...stream, examples }
}
