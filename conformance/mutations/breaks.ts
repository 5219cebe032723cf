// All breaks that tests must detect. If you rewrite a line of source that a break names, update the break too.
import { adapter } from './adapter.ts'
import type { Break } from './break.ts'
import { eventTools } from './event-tools.ts'
import { evidence } from './evidence.ts'
import { footprint } from './footprint.ts'
import { hidden } from './hidden.ts'
import { normalSurface } from './normal-surface.ts'
import { security } from './security.ts'
import { tools } from './tools.ts'
import { wishes } from './wishes.ts'

export const breaks: readonly Break[] = [
  ...normalSurface,
  ...evidence,
  ...adapter,
  ...tools,
  ...footprint,
  ...eventTools,
  ...security,
  ...hidden,
  ...wishes,
]
