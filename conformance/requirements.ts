// Everything the product was asked to do, by id. Tests cite these ids; coverage.test.ts compares the two.
// 002 is missing on purpose: it explains why result ids look as they do, and what it asks for is 003.19.
import { adapter } from './requirements/adapter.ts'
import type { Requirement } from './requirements/entry.ts'
import { evidence } from './requirements/evidence.ts'
import { footprint } from './requirements/footprint.ts'
import { normalSurface } from './requirements/normal-surface.ts'
import { tools } from './requirements/tools.ts'

export type { Requirement } from './requirements/entry.ts'

export const requirements: readonly Requirement[] = [...normalSurface, ...evidence, ...adapter, ...tools, ...footprint]
