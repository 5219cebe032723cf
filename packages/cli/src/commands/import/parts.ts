import type { WorkPlan } from '@pdpp/importers'
import { UsageError } from '../../terminal/failure.ts'
import { ask } from './confirm.ts'

type Parts = readonly WorkPlan[][]

/** Max. parts listed in an error. */
const NAMED_PARTS = 20

/** The parts of a plan that `--only` names, by number, by source, by connection, or by the name in the plan. */
export function chooseParts(parts: Parts, only: readonly string[] | undefined): WorkPlan[][] {
  if (only === undefined) return [...parts]
  const chosen = new Set(only.map((word) => partNamed(parts, word)))
  return parts.filter((_, at) => chosen.has(at))
}

function partNamed(parts: Parts, word: string): number {
  const at = /^\d+$/.test(word) ? Number(word) - 1 : parts.findIndex((part) => namesOf(part).includes(word))
  if (at >= 0 && at < parts.length) return at
  const known = parts.slice(0, NAMED_PARTS).map((part, number) => `${number + 1} ${namesOf(part).at(-1)}`)
  throw new UsageError(`There is no part "${word}". The parts are: ${known.join(', ')}.`)
}

function namesOf([first]: readonly WorkPlan[]): string[] {
  const { connection, declaration } = first!.plan
  return [declaration.connector_key, ...(connection ? [connection.id, connection.name] : [])]
}

/** Asks which parts to import: all, none, or those whose numbers the user types. */
export async function askForParts(parts: Parts, shown: Parts, signal: AbortSignal): Promise<WorkPlan[][]> {
  const several = shown.length > 1
  const answer = await ask(
    several ? 'Import this? [Y/n, or the numbers of parts, such as 1,3] ' : 'Import this? [Y/n] ',
    signal,
  )
  if (answer === undefined || /^(n|no)$/i.test(answer)) return []
  if (/^(y|yes|)$/i.test(answer)) return [...parts]
  const numbers = answer.split(/[\s,]+/).filter((word) => word !== '')
  // Parts that were imported before in the same way need no question, so they stay.
  const chosen = new Set(chooseParts(parts, several && numbers.every((word) => /^\d+$/.test(word)) ? numbers : []))
  return parts.filter((part) => chosen.has(part) || (chosen.size > 0 && !shown.includes(part)))
}
