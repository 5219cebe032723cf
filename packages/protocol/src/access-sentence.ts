/** One access of an agent, with the names that the owner knows. */
export interface SpokenAccess {
  readonly agent: string
  /** Names of the sources, in the order in which the owner should read them. */
  readonly sources: readonly string[]
  readonly grants: readonly {
    readonly access_mode: string
    readonly expires_at: string | null
    readonly streams: readonly {
      readonly time_constraint?:
        | { readonly since?: string | undefined; readonly until?: string | undefined }
        | undefined
    }[]
  }[]
  readonly status: 'active' | 'paused' | 'expired' | 'revoked'
  /**
   * True for one part of a package. The sentence then does not mention the other parts, which may still be readable.
   */
  readonly isPart?: boolean | undefined
  /** Names of the sources that the owner has paused while the agent still reads others. */
  readonly pausedSources?: readonly string[] | undefined
  /** The owner's time zone. */
  readonly timeZone?: string | undefined
}

type Limits = Pick<SpokenAccess, 'grants' | 'timeZone'>

const MAX_NAMED = 5

/**
 * Says in one sentence what an agent may read. The console, the command line and the activity log all use this
 * sentence, so that they always describe an access in the same way.
 */
export function accessSentence(access: SpokenAccess): string {
  const { agent, status, isPart, pausedSources = [] } = access
  const sources = named(access.sources)
  const lost = isPart ? "It can't read that any more." : "It can't read anything any more."
  const whose = isPart ? `${agent} to ${sources}` : agent
  if (status === 'revoked') return `You revoked the access of ${whose}. ${lost}`
  if (status === 'expired') return `The access of ${whose} has ended${endDay(access, ' on ')}. ${lost}`
  const what = accessExtent(access)
  if (status === 'active')
    return `${agent} may read ${what}.${pausedSources.length === 0 ? '' : ` You paused ${named(pausedSources)}.`}`
  return isPart
    ? `You paused ${sources} for ${agent}. Once you resume it, ${agent} may read ${what}.`
    : `${agent} is paused and gets nothing. Once you resume it, it may read ${what}.`
}

/** The sources, the period and the end of an access: the words that follow "may read". */
export const accessExtent = (access: Limits & Pick<SpokenAccess, 'sources'>): string =>
  `${named(access.sources)}${period(access)}, ${until(access)}`

function named(sources: readonly string[]): string {
  const more = sources.length - MAX_NAMED
  const shown = more > 0 ? [...sources.slice(0, MAX_NAMED), `${more} more`] : sources
  if (shown.length === 0) return 'nothing'
  return shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** The widest period of all parts. A part without limits makes it unlimited. */
function period({ grants, timeZone }: Limits): string {
  const limits = grants.flatMap(({ streams }) => streams.map(({ time_constraint: time }) => time))
  const widest = (side: 'since' | 'until', pick: (...times: number[]) => number) => {
    const times = limits.map((time) => time?.[side])
    return limits.length === 0 || times.includes(undefined)
      ? undefined
      : pick(...times.map((time) => Date.parse(time as string)))
  }
  const [since, end] = [widest('since', Math.min), widest('until', Math.max)]
  const text = (at: number) => dayText(at, timeZone)
  if (since !== undefined && end !== undefined) return `, from ${text(since)} to ${text(end - 1)}`
  if (since !== undefined) return `, from ${text(since)} on`
  return end === undefined ? '' : `, up to ${text(end - 1)}`
}

function until(access: Limits): string {
  if (access.grants.every(({ access_mode: mode }) => mode === 'single_use')) return 'one time only'
  return endDay(access, 'until ') || 'until you end it'
}

/** The day on which the last part ends, or '' if one of them has no end. */
function endDay({ grants, timeZone }: Limits, before: string): string {
  const ends = grants.map(({ expires_at: end }) => end)
  if (ends.length === 0 || ends.includes(null)) return ''
  return before + dayText(Math.max(...ends.map((end) => Date.parse(end!))), timeZone)
}

const dayText = (at: number, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(at)
