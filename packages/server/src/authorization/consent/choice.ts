import type { OfferedSource, OfferedStream } from './offer.ts'

/** The owner's choices for one source. */
export interface SourceChoice {
  readonly connections: readonly string[]
  /** Chosen fields, by stream name. Empty means that nothing of the source is shared. */
  readonly streams: ReadonlyMap<string, readonly string[]>
  /** The choice from before the owner unticked the source. Ticking the source again restores it. */
  readonly kept: ReadonlyMap<string, readonly string[]>
  /** First and last day (inclusive), as typed. Text that is not a day is refused; it never means "no limit". */
  readonly from: string
  readonly to: string
}

/** The whole state of the consent page. It exists only in the form; the server does not store it. */
export interface Choice {
  readonly sources: ReadonlyMap<string, SourceChoice>
  readonly back: BackDays
  readonly ends: Ends
}

/** How many days back. Empty means from any time, or as far back as the client asked. */
export const BACK_DAYS = ['30', '365', '1826', ''] as const
export type BackDays = (typeof BACK_DAYS)[number]

/** Days until the access ends. `once`: one token, for an hour. Empty means until the owner ends it. */
export const ENDS = ['once', '1', '7', '90', '365', ''] as const
export type Ends = (typeof ENDS)[number]
const DEFAULT_ENDS: Ends = '90'
const MAX_DAY_CHARS = 20

export const FORM = {
  back: 'back',
  ends: 'ends',
  /** The tick of a source with one connection. If a source has several, each connection has its own tick. */
  row: (key: string) => `row/${key}`,
  connection: (key: string) => `connection/${key}`,
  /**
   * Ticks of the source when the page was shown. They distinguish a source that the owner unticked from one that was
   * never ticked.
   */
  was: (key: string) => `was/${key}`,
  stream: (key: string) => `stream/${key}`,
  /** Present if the page showed a box for every stream. Only in this case do missing ticks mean "no". */
  parts: (key: string) => `parts/${key}`,
  kept: (key: string) => `kept/${key}`,
  /** Streams whose fields were on the page. An unticked field means "no" only for these streams. */
  listed: (key: string) => `listed/${key}`,
  field: (key: string, stream: string) => `field/${key}/${stream}`,
  from: (key: string) => `from/${key}`,
  to: (key: string) => `to/${key}`,
} as const

export const NOTHING: SourceChoice = { connections: [], streams: new Map(), kept: new Map(), from: '', to: '' }

/** True if something of the source would be shared. */
export const isChosen = (choice: SourceChoice | undefined): boolean => (choice?.streams.size ?? 0) > 0

/** True if the tick of this connection is on. */
export function isTicked(source: OfferedSource, choice: SourceChoice, connectionId: string): boolean {
  return isChosen(choice) && (isSingle(source) || choice.connections.includes(connectionId))
}

export const isSingle = ({ connections }: OfferedSource): boolean => connections.length === 1

/** The first state of the page: everything that the client asked for is ticked, except sensitive parts. */
export function firstChoice(offer: readonly OfferedSource[]): Choice {
  const first = (source: OfferedSource): [string, SourceChoice] => [
    source.key,
    source.asked ? ordinaryPart(source) : NOTHING,
  ]
  return { sources: new Map(offer.map(first)), back: '', ends: isOnceAsked(offer) ? 'once' : DEFAULT_ENDS }
}

export const isOnceAsked = (offer: readonly OfferedSource[]): boolean => offer.some(({ asked }) => asked?.singleUse)

/** All streams of a source that are not sensitive, with all fields and connections. */
export function ordinaryPart({ streams, connections }: OfferedSource): SourceChoice {
  const ordinary = wholeStreams(streams.filter(({ sensitive }) => !sensitive))
  if (ordinary.size === 0) return NOTHING
  return { ...NOTHING, connections: connections.map(({ connectionId }) => connectionId), streams: ordinary }
}

/** The streams that a tick shares. One tick shares sensitive streams only if the whole source is sensitive. */
export function tickedStreams({ streams }: OfferedSource): ReadonlyMap<string, readonly string[]> {
  const ordinary = streams.filter(({ sensitive }) => !sensitive)
  return wholeStreams(ordinary.length > 0 ? ordinary : streams)
}

export function wholeStreams(streams: readonly OfferedStream[]): Map<string, readonly string[]> {
  return new Map(streams.map(({ maxGrant }) => [maxGrant.name, maxGrant.fields]))
}

/** Reads the form. Ignores names that were not offered, so that a form cannot choose more than the page offered. */
export function readChoice(form: URLSearchParams, offer: readonly OfferedSource[]): Choice {
  const ends = ENDS.find((one) => one === form.get(FORM.ends)) ?? DEFAULT_ENDS
  return {
    sources: new Map(offer.map((source) => [source.key, readSource(form, source)])),
    back: BACK_DAYS.find((one) => one === form.get(FORM.back)) ?? '',
    ends: isOnceAsked(offer) ? 'once' : ends,
  }
}

function readSource(form: URLSearchParams, source: OfferedSource): SourceChoice {
  const { key, connections, streams } = source
  const all = (name: string) => new Set(form.getAll(name))
  const day = (name: string) => (form.get(name) ?? '').trim().slice(0, MAX_DAY_CHARS)
  const listed = all(FORM.listed(key))
  const fieldsOf = ({ maxGrant, required }: OfferedStream) => {
    if (!listed.has(maxGrant.name)) return maxGrant.fields
    const fields = all(FORM.field(key, maxGrant.name))
    return maxGrant.fields.filter((field) => fields.has(field) || required.includes(field))
  }
  const withFields = (names: ReadonlySet<string>) =>
    new Map(
      streams
        .filter(({ maxGrant }) => names.has(maxGrant.name))
        .map((stream): [string, readonly string[]] => [stream.maxGrant.name, fieldsOf(stream)]),
    )
  const ids = connections.map(({ connectionId }) => connectionId)
  const boxes = all(FORM.connection(key))
  const single = isSingle(source)
  const on = single ? (form.has(FORM.row(key)) ? ids : []) : ids.filter((id) => boxes.has(id))
  const [wasOn, parts, kept] = [
    form.has(FORM.was(key)),
    withFields(all(FORM.stream(key))),
    withFields(all(FORM.kept(key))),
  ]
  const days = { from: day(FORM.from(key)), to: day(FORM.to(key)) }
  const off = (before: ReadonlyMap<string, readonly string[]>) => ({ ...NOTHING, ...days, kept: before })
  if (on.length > 0) {
    const hasBoxes = parts.size > 0 || (wasOn && form.has(FORM.parts(key)))
    const chosen = hasBoxes ? parts : kept.size > 0 ? kept : tickedStreams(source)
    return chosen.size === 0 ? off(kept) : { connections: on, streams: chosen, kept: NOTHING.kept, ...days }
  }
  if (wasOn) return off(parts.size > 0 ? parts : kept)
  // Parts were ticked although their source was not. A source with several connections still needs one of them ticked.
  return parts.size === 0 ? off(kept) : { connections: single ? ids : [], streams: parts, kept: NOTHING.kept, ...days }
}
