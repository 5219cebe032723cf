import type { ImportInput, ReadTally } from '../../importer.ts'
import { treePath } from '../../reading/input-tree.ts'

/** The inputs in the order of their paths, without those that are there twice, packed and unpacked. */
export function eachOnce(inputs: readonly ImportInput[], tally: ReadTally): ImportInput[] {
  const ordered = inputs
    .map((input) => ({ input, path: treePath(input.name) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  return ordered.flatMap(({ input, path }, at) => {
    if (at === 0 || ordered[at - 1]!.path !== path) return [input]
    tally.leftOutFile(input, 'a copy of a file that was imported')
    return []
  })
}
