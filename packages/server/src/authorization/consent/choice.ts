import type { OfferedSource, OfferedStream } from './offer.ts'

/** The owner's choices for one source. */
export interface SourceChoice {
  readonly connections: readonly string[]
  /** Chosen fields, by stream name. */
  readonly streams: ReadonlyMap<string, readonly string[]>
  /** First and last day (inclusive), as typed. Text that is not a day is refused; it never means "no limit". */
  readonly from: string
  readonly to: string
}

/** The whole state of the consent page. It exists only in the form; the server stores none of it. */
export interface Choice {
  readonly sources: ReadonlyMap<string, SourceChoice>
  readonly once: boolean
  readonly ends: ExpiryDays
}

/** Days until the access ends. Empty: it lasts until the owner ends it. */
export const EXPIRY_DAYS = ['1', '7', '30', '90', '365', ''] as const
export type ExpiryDays = (typeof EXPIRY_DAYS)[number]
const DEFAULT_EXPIRY_DAYS: ExpiryDays = '90'
const MAX_DAY_CHARS = 20

export const FORM = {
  connection: (key: string) => `connection/${key}`,
  stream: (key: string) => `stream/${key}`,
  /** Streams whose fields were on the page. Only for these does an unticked field mean "no". */
  listed: (key: string) => `listed/${key}`,
  field: (key: string, stream: string) => `field/${key}/${stream}`,
  from: (key: string) => `from/${key}`,
  to: (key: string) => `to/${key}`,
} as const

/** The first state of the page: everything that the client asked for is ticked, except sensitive streams. */
export function firstChoice(offer: readonly OfferedSource[]): Choice {
  const once = offer.some(({ asked }) => asked?.singleUse)
  return { sources: new Map(offer.map((source) => [source.key, firstOf(source)])), once, ends: DEFAULT_EXPIRY_DAYS }
}

function firstOf({ asked, sensitive, streams, connections }: OfferedSource): SourceChoice {
  const chosen = asked ? streams.filter((stream) => !stream.sensitive) : []
  return {
    connections: asked && !sensitive ? connections.map(({ connectionId }) => connectionId) : [],
    streams: new Map(chosen.map(({ maxGrant }) => [maxGrant.name, maxGrant.fields])),
    from: '',
    to: '',
  }
}

/** Reads the form. Ignores names that were not offered, so that a form cannot choose more than the page offered. */
export function readChoice(form: URLSearchParams, offer: readonly OfferedSource[]): Choice {
  const ends = EXPIRY_DAYS.find((one) => one === form.get('ends')) ?? DEFAULT_EXPIRY_DAYS
  const askedOnce = offer.some(({ asked }) => asked?.singleUse)
  return {
    sources: new Map(offer.map((source) => [source.key, readSource(form, source)])),
    once: askedOnce || form.get('mode') === 'once',
    ends,
  }
}

function readSource(form: URLSearchParams, { key, connections, streams }: OfferedSource): SourceChoice {
  const ticked = (name: string) => new Set(form.getAll(name))
  const [ids, names, listed] = [FORM.connection(key), FORM.stream(key), FORM.listed(key)].map(ticked)
  const day = (name: string) => (form.get(name) ?? '').trim().slice(0, MAX_DAY_CHARS)
  const fieldsOf = ({ maxGrant, required }: OfferedStream) => {
    if (!listed!.has(maxGrant.name)) return maxGrant.fields
    const fields = ticked(FORM.field(key, maxGrant.name))
    return maxGrant.fields.filter((field) => fields.has(field) || required.includes(field))
  }
  return {
    connections: connections.map(({ connectionId }) => connectionId).filter((id) => ids!.has(id)),
    streams: new Map(
      streams
        .filter(({ maxGrant }) => names!.has(maxGrant.name))
        .map((stream): [string, readonly string[]] => [stream.maxGrant.name, fieldsOf(stream)]),
    ),
    from: day(FORM.from(key)),
    to: day(FORM.to(key)),
  }
}
