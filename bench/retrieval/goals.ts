/** Min. share of the questions that have a record with the answer among the first 3 hits, and among the first 10. */
export interface Goal {
  readonly at3?: number
  readonly at10: number
}

export const GOALS: Readonly<Record<'qmsum' | 'friendsqa' | 'xquad', Goal>> = {
  qmsum: { at3: 0.36, at10: 0.47 },
  friendsqa: { at3: 0.46, at10: 0.58 },
  xquad: { at10: 0.98 },
}

const HIT_3 = 3
const HIT_10 = 4

/** Tells whether a row of a table reaches its goal, or by how much it misses it. */
export function goalLine(name: string, row: readonly string[], { at3, at10 }: Goal): string {
  const parts = [
    ...(at3 === undefined ? [] : [judged(3, Number(row[HIT_3]), at3)]),
    judged(10, Number(row[HIT_10]), at10),
  ]
  return `Goal of ${name}: ${parts.join('; ')}.`
}

function judged(place: number, reached: number, goal: number): string {
  const verdict = reached >= goal ? 'met' : `**missed** by ${(goal - reached).toFixed(3)}`
  return `${goal} at ${place}, reached ${reached}, ${verdict}`
}
