import type { SourceDeclaration } from '@pdpp/protocol'
import type { FileInput } from '../files/files.ts'
import type { Importer, ImportOverrides, ImportPlan } from '../importer.ts'
import type { FoundExport } from './recognise.ts'

/** A plan and its importer. */
export interface WorkPlan {
  readonly importer: Importer
  readonly plan: ImportPlan
}

/**
 * Makes the plans, grouped by source and connection, in the order of the files. A file that fails does not stop the
 * others.
 */
export async function planAll(
  found: readonly FoundExport[],
  sources: readonly SourceDeclaration[],
  overridesOf: (file: FileInput) => ImportOverrides,
  fail: (file: string, error: unknown) => void,
): Promise<WorkPlan[][]> {
  let known = sources
  const planned = new Map<string, WorkPlan[]>()
  for (const { importer, claim } of found) {
    const first = claim.inputs[0] as FileInput
    try {
      for (const plan of await importer.streams(claim, zoned(importer, overridesOf(first)), known)) {
        const source = plan.declaration.connector_key
        const key = JSON.stringify([source, plan.connection?.id])
        planned.set(key, [...(planned.get(key) ?? []), { importer, plan }])
        known = [...known.filter((each) => each.connector_key !== source), plan.declaration]
      }
    } catch (error) {
      fail(first.name, error)
    }
  }
  return [...planned.values()]
}

/** A table that already has a zone keeps it. Other exports are read in the chosen zone, or in the owner's own zone. */
const zoned = ({ id }: Importer, overrides: ImportOverrides): ImportOverrides =>
  id === 'tabular' ? overrides : { ...overrides, zone: overrides.zone ?? overrides.ownZone }

/** True if times of a plan name no zone and the owner has not chosen one. */
export const lacksZone = ({ zone, notices }: ImportPlan): boolean =>
  (zone !== undefined &&
    notices.some((notice) => typeof notice === 'object' && notice.code === 'local_times' && !notice.data.isChosen)) ||
  notices.some((notice) => typeof notice === 'object' && notice.code === 'no_time_zone')
