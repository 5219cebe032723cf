import type { FileInput } from '../files/files.ts'
import type { Claim, Importer, ImportInput } from '../importer.ts'
import { importers } from '../importers.ts'
import { headOf } from '../reading/input-head.ts'
import { FileTree, treePath } from '../reading/input-tree.ts'
import { ImportRefusal } from '../refusal.ts'
import { whyUnknown } from './unknown-file.ts'

/** The files that one importer plans together. */
export interface FoundExport {
  readonly importer: Importer
  readonly claim: Claim
}

export interface Skipped {
  readonly file: string
  readonly reason: string
}

/**
 * Finds the importer of every file. If two importers claim a file, the first in the list gets it, so that a folder of
 * one service stays together. The order of the files does not matter. Files that no importer claims are skipped, with a
 * reason.
 */
export async function recognise(
  files: readonly FileInput[],
  skipped: Skipped[],
  fail: (file: string, error: unknown) => void,
  signal: AbortSignal,
): Promise<FoundExport[]> {
  const ordered = files
    .map((input) => ({ input, path: treePath(input.name) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.input.name < b.input.name ? -1 : 1))
    .map(({ input }) => input)
  const tree = new FileTree(ordered)
  const claims: FoundExport[] = []
  const unknown = new Map<FileInput, string>()
  for (const input of ordered) {
    if (signal.aborted) break
    try {
      const head = await headOf(input)
      const claim = await firstClaim({ input, head, files: tree })
      if (claim) claims.push(claim)
      else unknown.set(input, whyUnknown(input.name, head))
    } catch (error) {
      fail(input.name, error)
    }
  }
  const taken = new Set<ImportInput>()
  const found = importers.flatMap((importer) => grouped(importer, claims, taken))
  for (const [input, reason] of unknown) if (!taken.has(input)) skipped.push({ file: input.name, reason })
  const positions = new Map<ImportInput, number>(ordered.map((input, at) => [input, at]))
  const position = ({ claim }: FoundExport) => positions.get(claim.inputs[0]!)!
  return found.toSorted((a, b) => position(a) - position(b))
}

async function firstClaim(candidate: Parameters<Importer['detect']>[0]): Promise<FoundExport | undefined> {
  for (const importer of importers) {
    const claim = await importer.detect(candidate)
    if (claim) return { importer, claim }
  }
  return
}

/** The claims of one importer, without files that are already claimed. Claims with the same group become one. */
function grouped(importer: Importer, claims: readonly FoundExport[], taken: Set<ImportInput>): FoundExport[] {
  const groups = new Map<string, { formats: Set<string>; inputs: Set<ImportInput> }>()
  const own = claims.filter((found) => found.importer === importer)
  for (const [at, { claim }] of own.entries()) {
    if (taken.has(claim.inputs[0]!)) continue
    const key = claim.group === undefined ? `alone ${at}` : `group ${claim.group}`
    const group = groups.get(key) ?? { formats: new Set(), inputs: new Set() }
    groups.set(key, group)
    group.formats.add(claim.format)
    for (const input of claim.inputs.filter((each) => !taken.has(each))) {
      taken.add(input)
      group.inputs.add(input)
    }
  }
  return [...groups.values()].map(({ formats, inputs }) => ({
    importer,
    claim: { format: [...formats].join(', '), inputs: [...inputs] },
  }))
}

export function nothingToImport(files: readonly FileInput[], skipped: readonly Skipped[]): ImportRefusal {
  if (files.length === 0) return new ImportRefusal('no_files', {})
  const { file, reason } = skipped[0]!
  return new ImportRefusal('nothing_known', { file, reason, others: skipped.length - 1 })
}
