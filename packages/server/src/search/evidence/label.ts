import { declaredFields, escapeHidden, previewChars, type StreamDeclaration } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import { authoredTime } from '../../records/authored-time.ts'
import { type Amount, amountOf } from '../hits/amount.ts'

/** What sources call these fields; the schema goes by the same names. */
export const TITLE_NAMES = ['title', 'subject', 'name', 'filename', 'track']
export const ACTOR_NAMES = ['author', 'from_name', 'sender', 'from', 'organizer', 'artist', 'merchant', 'role']
export const PLACE_NAMES = ['channel', 'folder', 'conversation', 'location', 'album']
const TITLE_CHARS = 120
/** Names of people and places are short; what is long in these fields is something else. */
const NAME_CHARS = 120
/** Bytes for each character, as it is written in a result. Only hidden characters take more: of those fewer are shown. */
const BYTES_PER_CHAR = 4
/** Fields that are the message itself: as a title they would only say again what the evidence shows. */
export const BODY_NAMES = new Set(['text', 'body', 'content', 'message', 'note', 'description'])
/** What refers to another record says nothing to a reader. */
const REFERENCE = /(?:^|_)ids?$|[a-z]Ids?$/

/** Who, when and where, as far as the source has it and the scope shows it. Nothing is said twice. */
export interface Label {
  readonly title: string
  readonly actor: string | undefined
  readonly authoredAt: string | undefined
  /** The conversation, thread, channel or folder. */
  readonly place: string | undefined
  readonly amount?: Amount | undefined
}

export function labelOf(scope: ReadScope, data: Readonly<Record<string, unknown>>, source: string): Label {
  const usable = (name: string | undefined | null): name is string => name != null && includesField(scope.usable, name)
  const text = (name: string | undefined) =>
    usable(name) && typeof data[name] === 'string' && /\S/.test(data[name]) ? data[name] : undefined
  const { stream } = scope
  const time = authoredTime(scope, data)
  const titleField = fieldWithRole(stream, 'primary-title')
  const named =
    (titleField === undefined || BODY_NAMES.has(titleField) ? undefined : text(titleField)) ??
    firstOf(TITLE_NAMES, text)
  const actor = short(text(fieldWithRole(stream, 'actor')) ?? firstOf(ACTOR_NAMES, text))
  const place = short(firstOf(PLACE_NAMES, text))
  const within = stream.query?.group_field
  const group = within == null || REFERENCE.test(within) ? undefined : short(text(within))
  const composed = [
    ...(actor === undefined ? [source] : []),
    ...[actor, place ?? stream.display?.label ?? stream.name, time === undefined ? undefined : momentOf(time)],
  ]
  const title = bounded(named?.replace(/\s+/g, ' ') ?? composed.filter(Boolean).join(' / '), TITLE_CHARS)
  const once = (value: string | undefined, ...said: (string | undefined)[]) =>
    value === undefined || said.includes(value) ? undefined : value
  return {
    title,
    actor: once(actor, title),
    authoredAt: short(time),
    place: once(place ?? group, title, actor),
    amount: amountOf(scope, data),
  }
}

/** With its time of day, which tells records of one day apart: `2026-01-31 09:30Z`. */
function momentOf(time: string): string {
  const [, day, minute, second, zone = ''] =
    /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:[.,]\d+)?([Zz]|[+-]\d\d:?\d\d)?$/.exec(time) ?? []
  if (day === undefined) return time.slice(0, 10)
  return `${day} ${minute}${second === '00' ? '' : `:${second}`}${zone.toUpperCase()}`
}

function fieldWithRole(stream: StreamDeclaration, role: string): string | undefined {
  const properties = stream.schema['properties'] as Record<string, Record<string, unknown>>
  return [...declaredFields(stream).keys()].find((name) => properties[name]?.['x_pdpp_role'] === role)
}

const short = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : bounded(value, NAME_CHARS)

/** The beginning of a text: so many characters, and never many more bytes than they usually take. */
function bounded(text: string, chars: number): string {
  const most = chars * BYTES_PER_CHAR
  let shown = previewChars(text, chars)
  for (let kept = chars, bytes = writtenBytes(shown); bytes > most && kept > 1; bytes = writtenBytes(shown)) {
    kept = Math.max(1, Math.floor((kept * most) / bytes))
    shown = previewChars(text, kept)
  }
  return shown
}

const writtenBytes = (text: string): number => Buffer.byteLength(JSON.stringify(escapeHidden(text)))

function firstOf(
  names: readonly (string | null | undefined)[],
  text: (name: string) => string | undefined,
): string | undefined {
  for (const name of names) {
    const found = name == null ? undefined : text(name)
    if (found !== undefined) return found
  }
  return
}
