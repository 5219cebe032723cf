import type { LackingAccess } from '@pdpp/protocol'
import { type CurrentAccess, endOf, grantsOf } from './access.ts'
import type { OfferedPart } from './offer.ts'

const DAY_MS = 86_400_000

/** How far back a new part reaches. `rest`: as far as the access does now. `asked`: from the first requested day. */
const REACHES = ['rest', 'asked', '30', '365', 'all'] as const
export type Reach = (typeof REACHES)[number]

/** When a new source ends. `rest`: together with the access. Otherwise after this number of hours. */
export const ENDS = ['rest', '1', '168', '720', '2160'] as const
export type End = (typeof ENDS)[number]

export interface ChosenPart {
  readonly connections: readonly string[]
  readonly fields: readonly string[]
}

/** The owner's choice on the page that widens an access. It exists only in the form. */
export interface WideningChoice {
  readonly parts: ReadonlyMap<string, ChosenPart>
  readonly reach: Reach
  readonly end: End
  /** The search text for sources. */
  readonly find: string
}

export const FIND_CHARS = 100

export const FIELDS = {
  part: 'part',
  /**
   * A whole source. Its value is the state of its tick when the page was shown (`none`, `some` or `all`), followed by
   * its key.
   */
  source: 'source',
  shownSource: 'shown-source',
  /** Parts whose fields were on the page. An unticked field means "no" only for these parts. */
  listed: 'listed',
  connection: (key: string) => `connection/${key}`,
  field: (key: string) => `field/${key}`,
  find: 'find',
  reach: 'reach',
  end: 'end',
} as const

/** If there are more candidates, none is ticked, so that the owner chooses and not the order of the list. */
const MAX_TICKED = 1

/** The first state of the page. Only requested parts are ticked, and none that is sensitive or uncertain. */
export function firstChoice(
  offer: readonly OfferedPart[],
  access: CurrentAccess | undefined,
  lacks: LackingAccess | undefined,
): WideningChoice {
  const known = offer.filter(({ member }) => member !== undefined)
  const meant = known.length > 0 ? known : offer
  const ticked = lacks && meant.length <= MAX_TICKED ? meant.filter(({ isSensitive }) => !isSensitive) : []
  return {
    parts: new Map(ticked.map((part) => [part.key, wholePart(part)])),
    reach: reachesOf(offer, access, lacks)[0]!,
    end: 'rest',
    find: '',
  }
}

/** Ticks all accounts if there is only one, or if the agent already reads the source. Otherwise the owner chooses. */
function wholePart({ connections, fields, member }: OfferedPart): ChosenPart {
  const isClear = connections.length === 1 || member !== undefined
  return { connections: isClear ? connections.map(({ connectionId }) => connectionId) : [], fields }
}

/** Reads the form. Ignores everything that was not offered. */
export function readChoice(
  form: URLSearchParams,
  offer: readonly OfferedPart[],
  access: CurrentAccess | undefined,
  lacks: LackingAccess | undefined,
): WideningChoice {
  const chosen = chosenKeys(form, offer)
  const listed = new Set(form.getAll(FIELDS.listed))
  const reaches = reachesOf(offer, access, lacks)
  const ends = endsOf(offer, access)
  return {
    parts: new Map(
      offer.filter(({ key }) => chosen.has(key)).map((part) => [part.key, readPart(form, part, listed.has(part.key))]),
    ),
    reach: reaches.find((one) => one === form.get(FIELDS.reach)) ?? reaches[0]!,
    end: ends.find((one) => one === form.get(FIELDS.end)) ?? 'rest',
    find: (form.get(FIELDS.find) ?? '').trim().slice(0, FIND_CHARS),
  }
}

/** The ticked parts. If a source was ticked or unticked as a whole, that applies to all its parts. */
function chosenKeys(form: URLSearchParams, offer: readonly OfferedPart[]): Set<string> {
  const chosen = new Set(form.getAll(FIELDS.part))
  const sources = new Set(form.getAll(FIELDS.source))
  for (const shown of form.getAll(FIELDS.shownSource)) {
    const [state, key] = [shown.slice(0, shown.indexOf('/')), shown.slice(shown.indexOf('/') + 1)]
    const own = offer.filter(({ declaration }) => declaration.connector_key === key)
    if (sources.has(key) && state !== 'all' && own.every((part) => state === 'some' || !chosen.has(part.key)))
      for (const { key: part } of tickedWithSource(own)) chosen.add(part)
    if (!sources.has(key) && state === 'all') for (const { key: part } of own) chosen.delete(part)
  }
  return chosen
}

/**
 * If a source also has other parts, its tick leaves out sensitive parts, further fields and earlier items. The owner
 * ticks those one by one.
 */
function tickedWithSource(own: readonly OfferedPart[]): readonly OfferedPart[] {
  const plain = own.filter(({ isSensitive, kind }) => !isSensitive && kind === 'stream')
  const streams = own.filter(({ kind }) => kind === 'stream')
  return plain.length > 0 ? plain : streams.length > 0 ? streams : own
}

function readPart(form: URLSearchParams, part: OfferedPart, isListed: boolean): ChosenPart {
  const ids = new Set(form.getAll(FIELDS.connection(part.key)))
  const names = new Set(form.getAll(FIELDS.field(part.key)))
  const all = part.connections.map(({ connectionId }) => connectionId)
  return {
    connections: all.length === 1 ? all : all.filter((id) => ids.has(id)),
    fields: isListed ? part.fields.filter((name) => names.has(name) || part.required.includes(name)) : part.fields,
  }
}

/** The possible reaches, the default first. Leaves out reaches that would add nothing, and lists each time once. */
export function reachesOf(
  offer: readonly OfferedPart[],
  access: CurrentAccess | undefined,
  lacks: LackingAccess | undefined,
): [Reach, ...Reach[]] {
  if (lacks?.kind === 'time')
    return offer.some(({ direction }) => direction === 'later') || lacks.since === undefined
      ? ['all']
      : ['asked', 'all']
  return access && restSince(access) !== undefined ? ['rest', '30', '365', 'all'] : ['all', '365', '30']
}

/** The possible ends. Only new sources have a choice, and never beyond the end of the access. */
export function endsOf(offer: readonly OfferedPart[], access: CurrentAccess | undefined): readonly End[] {
  if (!offer.some(({ kind, member }) => kind === 'stream' && member === undefined)) return ['rest']
  const last = access && endOf(access)
  return ENDS.filter((end) => end === 'rest' || last === undefined || instantOf(end)! < Date.parse(last))
}

/** The end of a choice, in milliseconds. Undefined for `rest`. */
export const instantOf = (end: End, now = Date.now()): number | undefined =>
  end === 'rest' ? undefined : now + Number(end) * 3_600_000

/** The first instant that a new part reaches back to. Undefined means everything. */
export function sinceOf(
  reach: Reach,
  access: CurrentAccess | undefined,
  lacks: LackingAccess | undefined,
  now = Date.now(),
): string | undefined {
  if (reach === 'all') return
  if (reach === 'asked') return lacks?.kind === 'time' ? lacks.since : undefined
  if (reach === 'rest') return access && restSince(access)
  return new Date(now - Number(reach) * DAY_MS).toISOString().slice(0, 10)
}

/** The earliest time that the access reaches back to. Undefined if a part of it has no such limit. */
function restSince(access: CurrentAccess): string | undefined {
  const starts = grantsOf(access).flatMap(({ streams }) => streams.map(({ time_constraint: time }) => time?.since))
  const known = starts.filter((start) => start !== undefined)
  return known.length < starts.length || known.length === 0 ? undefined : known.reduce((a, b) => (b < a ? b : a))
}
