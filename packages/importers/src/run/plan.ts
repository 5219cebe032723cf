import type { SourceDeclaration } from '@pdpp/protocol'
import type { FileInput } from '../files/files.ts'
import type { Importer, ImportOverrides, ImportPlan } from '../importer.ts'
import type { Found } from './recognise.ts'

/** A plan, and the importer that carries it out. */
export interface WorkPlan {
  readonly importer: Importer
  readonly plan: ImportPlan
}

/** Plans by source, in the order of the files. A file that fails does not stop the others. */
export async function planAll(
  found: Found,
  sources: readonly SourceDeclaration[],
  wishesOf: (file: FileInput) => ImportOverrides,
  fail: (file: string, error: unknown) => void,
): Promise<WorkPlan[][]> {
  let known = sources
  const planned = new Map<string, WorkPlan[]>()
  const add = (importer: Importer, plans: readonly ImportPlan[]) => {
    for (const plan of plans) {
      const key = plan.declaration.connector_key
      planned.set(key, [...(planned.get(key) ?? []), { importer, plan }])
      known = [...known.filter((source) => source.connector_key !== key), plan.declaration]
    }
  }
  for (const [importer, files] of found) {
    // Mail files are one source. Tables are planned one by one, so that one bad file does not cost the others.
    const groups = importer.id === 'mail' ? [files] : files.map((file) => [file])
    for (const group of groups) {
      try {
        add(importer, await importer.streams(group, wishesOf(group[0]!), known))
      } catch (error) {
        fail(group[0]!.name, error)
      }
    }
  }
  return [...planned.values()]
}
