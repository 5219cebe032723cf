import { cast } from './cast.ts'
import { stories } from './stories/index.ts'
import type { DemoOwner } from './types.ts'

export { demoRecords } from './records.ts'
export { demoConnections, demoSources } from './sources/index.ts'
export type { DemoConnection, DemoOwner, DemoRecord, Evidence, Fact, Storyline } from './types.ts'

export const demoOwner: DemoOwner = {
  name: cast.mira.name,
  storylines: stories.map(({ title, facts }) => ({ title, facts })),
}
