import { referencedKey } from '@pdpp/protocol/reading'
import { type ParentsQuery, parentKey } from '../../records/record-store.ts'

interface ReferencedParent {
  readonly connectionId: string
  readonly key: string
  /** The numbers of the children that refer to the parent. */
  readonly numbers: number[]
}

/** Each referenced parent once, in the order of the children. `foreignKeys` has their values by number of the child. */
export function referencedParents(
  foreignKeys: ReadonlyMap<number, unknown>,
  { children }: ParentsQuery,
): ReferencedParent[] {
  const parents = new Map<string, ReferencedParent>()
  for (const { number, connectionId } of children) {
    const key = referencedKey(foreignKeys.get(number))
    if (key === undefined) continue
    const name = parentKey({ connectionId, key })
    const known = parents.get(name)
    if (known) known.numbers.push(number)
    else parents.set(name, { connectionId, key, numbers: [number] })
  }
  return [...parents.values()]
}
