import { referencedKey } from '@pdpp/protocol/reading'
import { storedRecord } from '../../lib/stored-json.ts'
import { type ParentsQuery, parentKey } from '../../records/record-store.ts'

interface ReferencedParent {
  readonly connectionId: string
  readonly key: string
  /** The numbers of the children that refer to the parent. */
  readonly numbers: number[]
}

/** Each referenced parent once, in the order of the children. `stored` has the texts of the children by number. */
export function referencedParents(
  stored: ReadonlyMap<number, string>,
  { foreignKey, children }: ParentsQuery,
): ReferencedParent[] {
  const parents = new Map<string, ReferencedParent>()
  for (const { number, connectionId } of children) {
    const text = stored.get(number)
    const key = text === undefined ? undefined : referencedKey(storedRecord(text)[foreignKey])
    if (key === undefined) continue
    const name = parentKey({ connectionId, key })
    const known = parents.get(name)
    if (known) known.numbers.push(number)
    else parents.set(name, { connectionId, key, numbers: [number] })
  }
  return [...parents.values()]
}
