import type { OfferedSource, OfferedStream } from './offer.ts'

/** What the owner has ticked of one source. */
export interface SourceChoice {
  readonly connections: readonly string[]
  /** Chosen streams, with the fields of each. */
  readonly streams: ReadonlyMap<string, readonly string[]>
  /** Days, as they were typed; the last one is included. What is no day is refused, never taken for no limit. */
  readonly from: string
  readonly to: string
}

/** The whole state of the page. It lives in the form, and nowhere else. */
export interface Choice {
  readonly sources: ReadonlyMap<string, SourceChoice>
  readonly once: boolean
  readonly ends: Ends
}

/** After how many days it ends; empty: when the owner ends it. */
export const ENDS = ['1', '7', '30', '90', '365', ''] as const
export type Ends = (typeof ENDS)[number]
const USUAL_END: Ends = '90'
const DAY_CHARS = 20

export const FORM = {
  connection: (key: string) => `connection/${key}`,
  stream: (key: string) => `stream/${key}`,
  /** Streams whose fields stood on the page: what is not ticked of them was left out on purpose. */
  listed: (key: string) => `listed/${key}`,
  field: (key: string, stream: string) => `field/${key}/${stream}`,
  from: (key: string) => `from/${key}`,
  to: (key: string) => `to/${key}`,
} as const

/** Before the owner has touched anything: what was asked for, nothing beyond it, and nothing sensitive. */
export function firstChoice(offer: readonly OfferedSource[]): Choice {
  const once = offer.some(({ asked }) => asked?.singleUse)
  return { sources: new Map(offer.map((source) => [source.key, firstOf(source)])), once, ends: USUAL_END }
}

function firstOf({ asked, sensitive, streams, connections }: OfferedSource): SourceChoice {
  const chosen = asked ? streams.filter((stream) => !stream.sensitive) : []
  return {
    connections: asked && !sensitive ? connections.map(({ connectionId }) => connectionId) : [],
    streams: new Map(chosen.map(({ most }) => [most.name, most.fields])),
    from: '',
    to: '',
  }
}

/** What a form says. Names that are not offered are not looked at: a form can only choose among what was shown. */
export function readChoice(form: URLSearchParams, offer: readonly OfferedSource[]): Choice {
  const ends = ENDS.find((one) => one === form.get('ends')) ?? USUAL_END
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
  const day = (name: string) => (form.get(name) ?? '').trim().slice(0, DAY_CHARS)
  const fieldsOf = ({ most, required }: OfferedStream) => {
    if (!listed!.has(most.name)) return most.fields
    const fields = ticked(FORM.field(key, most.name))
    return most.fields.filter((field) => fields.has(field) || required.includes(field))
  }
  return {
    connections: connections.map(({ connectionId }) => connectionId).filter((id) => ids!.has(id)),
    streams: new Map(
      streams
        .filter(({ most }) => names!.has(most.name))
        .map((stream): [string, readonly string[]] => [stream.most.name, fieldsOf(stream)]),
    ),
    from: day(FORM.from(key)),
    to: day(FORM.to(key)),
  }
}
