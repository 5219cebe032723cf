import { createHash } from 'node:crypto'
import type { ImportInput, ReadTally } from '../../importer.ts'
import { treePath } from '../../reading/input-tree.ts'

/**
 * The inputs in the order of their paths, without second copies of files that are both packed and unpacked. A file with
 * the same path but other content is not a copy: it comes from another export.
 */
export async function eachOnce(inputs: readonly ImportInput[], tally: ReadTally): Promise<ImportInput[]> {
  const kept: ImportInput[] = []
  for (const input of byPath(inputs)) {
    const before = kept.at(-1)
    const isSamePath = before !== undefined && treePath(before.name) === treePath(input.name)
    if (isSamePath && (await isCopy(before, input))) tally.leftOutFile(input, 'a copy of a file that was imported')
    else kept.push(input)
  }
  return kept
}

/** The order in which files are read. It does not depend on the order in which they were found. */
export const byPath = (inputs: readonly ImportInput[]): ImportInput[] =>
  inputs
    .map((input) => ({ input, path: treePath(input.name) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.input.name < b.input.name ? -1 : 1))
    .map(({ input }) => input)

async function isCopy(one: ImportInput, other: ImportInput): Promise<boolean> {
  if (one.size !== undefined && other.size !== undefined && one.size !== other.size) return false
  return (await contentHash(one)) === (await contentHash(other))
}

async function contentHash(input: ImportInput): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of input.open()) hash.update(chunk)
  return hash.digest('hex')
}
