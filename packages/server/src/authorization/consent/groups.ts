import { type Choice, isChosen, NOTHING, type SourceChoice, tickedStreams } from './choice.ts'
import type { OfferedSource } from './offer.ts'

/** Sources that one tick chooses together, such as all mail. */
export interface SourceGroup {
  readonly id: string
  readonly sources: readonly OfferedSource[]
}

export type GroupTick = 'all' | 'some' | 'none'

/** Names of the form fields: the current ticks, and the ticks when the page was shown. */
export const GROUP_FORM = { tick: 'group', was: (id: string) => `was-group/${id}` } as const

/** The sources that a group's tick chooses: those that are not sensitive, or all if all are sensitive. */
function sourcesOfTick({ sources }: SourceGroup): readonly OfferedSource[] {
  const ordinary = sources.filter((source) => !isSensitive(source))
  return ordinary.length > 0 ? ordinary : sources
}

export const isSensitive = ({ sensitive, streams }: OfferedSource): boolean =>
  sensitive || streams.every((stream) => stream.sensitive)

export function groupTick(group: SourceGroup, { sources }: Choice): GroupTick {
  const on = (source: OfferedSource) => {
    const choice = sources.get(source.key)!
    return (
      isChosen(choice) && (source.connections.length === 1 || choice.connections.length === source.connections.length)
    )
  }
  if (sourcesOfTick(group).every(on)) return 'all'
  return group.sources.some(({ key }) => isChosen(sources.get(key))) ? 'some' : 'none'
}

/** Applies the group ticks that the owner changed. In an unchanged group, the ticks of its sources apply. */
export function applyGroups(choice: Choice, groups: readonly SourceGroup[], form: URLSearchParams): Choice {
  const ticked = new Set(form.getAll(GROUP_FORM.tick))
  const sources = new Map(choice.sources)
  for (const group of groups) {
    const was = form.get(GROUP_FORM.was(group.id))
    if (was === null || ticked.has(group.id) === (was === 'all')) continue
    if (ticked.has(group.id))
      for (const source of sourcesOfTick(group)) sources.set(source.key, whole(source, sources.get(source.key)!))
    else for (const { key } of group.sources) sources.set(key, { ...NOTHING, kept: sources.get(key)!.streams })
  }
  return { ...choice, sources }
}

function whole(source: OfferedSource, before: SourceChoice): SourceChoice {
  const streams = isChosen(before) ? before.streams : before.kept.size > 0 ? before.kept : tickedStreams(source)
  return { ...before, streams, connections: source.connections.map(({ connectionId }) => connectionId) }
}
