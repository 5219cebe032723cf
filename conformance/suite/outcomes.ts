// Reads the results of a run of the suite and checks that none is missing.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Status = 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'

export interface SuiteCheck {
  readonly status: Status
  readonly id: string
  readonly description?: string
  readonly errorMessage?: string
}

export type Outcomes = ReadonlyMap<string, readonly SuiteCheck[]>

/** How the process of the suite ended: with an exit code or by a signal. */
export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Runs the suite and reads the results that it writes into a folder. Throws if it crashed or left out scenarios. */
export async function outcomesOf(
  name: string,
  scenarios: number,
  run: (folder: string) => Promise<Ending>,
): Promise<Outcomes> {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-conformance-'))
  try {
    const ending = await run(folder)
    const outcomes = readOutcomes(folder)
    requireWhole(name, scenarios, ending, outcomes)
    return outcomes
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readOutcomes(folder: string): Outcomes {
  const found = globSync('*/checks.json', { cwd: folder }).map((path): [string, SuiteCheck[]] => [
    path.replace(/^(authorization-server|server)-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''),
    JSON.parse(readFileSync(join(folder, path), 'utf8')),
  ])
  return new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The suite exits with 1 if a check failed and with 0 if none did. Any other ending means that it crashed. */
export function requireWhole(name: string, scenarios: number, { code, signal }: Ending, outcomes: Outcomes): void {
  const hasFailed = [...outcomes.values()].flat().some(({ status }) => status === 'FAILURE')
  if (signal !== null || code !== (hasFailed ? 1 : 0))
    throw new Error(`${name}: the suite ended with ${signal ?? code}, with ${outcomes.size} scenarios done.`)
  if (outcomes.size !== scenarios)
    throw new Error(
      `${name}: ${outcomes.size} scenarios were run, and ${scenarios} are known. If the suite has changed, check the new scenarios, then change the number in run.ts.`,
    )
}

/** The text with which a check explains its result. */
export const wordsOf = ({ errorMessage, description }: SuiteCheck): string => errorMessage ?? description ?? ''
