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

/** So many values of a field tell something of it. */
const MIN_VALUES = 2

/**
 * The commonest values of the first fields, as many as fit together: a list of examples is no list of everything.
 * No field takes all the room while another one waits.
 */
export function boundedValues<Value>(byField: Readonly<Record<string, readonly Value[]>>, share: number) {
  let left = FREQUENT_BYTES * share
  const fields = Object.entries(byField)
  const kept = fields.flatMap(([name, values], index) => {
    const room = index < fields.length - 1 ? left * 0.6 : left
    let used = cost(name) + 6
    const shown = values.filter((value) => {
      used += cost(JSON.stringify(value)) + 1
      return used <= room
    })
    if (shown.length < Math.min(MIN_VALUES, values.length)) return []
    left -= cost(name) + 6 + cost(JSON.stringify(shown))
    return [[name, shown] as const]
  })
  return Object.fromEntries(kept)
}

/** What cannot be seen is written out where it is shown, which takes more room than it has here. */
export function cost(text: string): number {
  return Buffer.byteLength(text) + 6 * (text.match(/\p{Default_Ignorable_Code_Point}/gu)?.length ?? 0)
}
