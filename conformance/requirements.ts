// All requirements of the product by id. Tests cite these ids, and coverage.test.ts checks that none is missing. 002
// has no entries, because it only explains the form of result ids. The requirement itself is 003.19.
import { adapter } from './requirements/adapter.ts'
import type { Requirement } from './requirements/entry.ts'
import { evidence } from './requirements/evidence.ts'
import { footprint } from './requirements/footprint.ts'
import { normalSurface } from './requirements/normal-surface.ts'
import { tools } from './requirements/tools.ts'

export type { Requirement } from './requirements/entry.ts'

export const requirements: readonly Requirement[] = [...normalSurface, ...evidence, ...adapter, ...tools, ...footprint]
