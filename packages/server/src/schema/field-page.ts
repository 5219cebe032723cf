const FREQUENT_BYTES = 1_600

type Flags = Readonly<Record<string, string>>

export interface FieldPage {
  readonly from: number
  readonly to: number
  /** Number of fields of the stream with the most fields. */
  readonly total: number
}

/**
 * Takes the same range of fields from every stream, as many as fit. Streams of one name have similar fields, so one
 * offset continues all of them.
 */
export function fieldPage(lists: readonly Flags[], offset: number, bytes: number): FieldPage {
  const costs = lists.map((flags) => Object.entries(flags).map(([name, flag]) => cost(name) + flag.length + 6))
  const total = Math.max(0, ...costs.map(({ length }) => length))
  let [left, to] = [bytes, offset]
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

/** Min. values shown per field. Fewer say little about it. */
const MIN_VALUES = 2

/** Keeps the most frequent values that fit into the budget. No field may use the whole budget while others follow. */
export function boundedValues<Value>(byField: Readonly<Record<string, readonly Value[]>>, share: number) {
  let left = FREQUENT_BYTES * share
  const fields = Object.entries(byField)
  const kept = fields.flatMap(([name, values], index) => {
    const room = index < fields.length - 1 ? left * 0.6 : left
    let used = cost(name) + 6
    const fitting = values.filter((value) => {
      used += cost(JSON.stringify(value)) + 1
      return used <= room
    })
    if (fitting.length < Math.min(MIN_VALUES, values.length)) return []
    left -= cost(name) + 6 + cost(JSON.stringify(fitting))
    return [[name, fitting] as const]
  })
  return Object.fromEntries(kept)
}

/** Counts 6 extra bytes for each invisible character, because it is shown as an escape. */
export function cost(text: string): number {
  return Buffer.byteLength(text) + 6 * (text.match(/\p{Default_Ignorable_Code_Point}/gu)?.length ?? 0)
}
