/** All flags together in a compact schema. A result that quotes it twice must stay readable. */
const FIELD_BYTES = 5_500
const FREQUENT_BYTES = 1_600

type Flags = Readonly<Record<string, string>>

export interface FieldPage {
  readonly from: number
  readonly to: number
  /** Of the stream that has most. */
  readonly total: number
}

/**
 * The same part of every stream's list of fields, as many as the budget holds: streams of one name have much the
 * same fields, so one number continues all of them.
 */
export function fieldPage(lists: readonly Flags[], offset: number): FieldPage {
  const costs = lists.map((flags) => Object.entries(flags).map(([name, flag]) => cost(name) + flag.length + 6))
  const total = Math.max(0, ...costs.map(({ length }) => length))
  let [left, to] = [FIELD_BYTES, offset]
  while (to < total) {
    const next = costs.reduce((sum, list) => sum + (list[to] ?? 0), 0)
    if (next > left && to > offset) break
    left -= next
    to++
  }
  return { from: offset, to, total }
}

export function fieldsOn({ from, to }: FieldPage, flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).slice(from, to))
}

/** The first fields whose values fit together; a list of examples is no list of everything. */
export function boundedValues<Values>(byField: Readonly<Record<string, Values>>, share: number) {
  let left = FREQUENT_BYTES * share
  const kept = Object.entries(byField).filter(([name, values]) => {
    left -= cost(name) + cost(JSON.stringify(values))
    return left >= 0
  })
  return Object.fromEntries(kept)
}

/** What cannot be seen is written out where it is shown, which takes more room than it has here. */
function cost(text: string): number {
  return Buffer.byteLength(text) + 6 * (text.match(/\p{Default_Ignorable_Code_Point}/gu)?.length ?? 0)
}
