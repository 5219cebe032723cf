import { declaredFields, parseInstant, previewChars, type StreamDeclaration } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../grants/read-scope.ts'

const TITLE_NAMES = ['title', 'subject', 'name', 'filename', 'track']
const ACTOR_NAMES = ['author', 'from_name', 'sender', 'from', 'organizer', 'artist', 'merchant', 'role']
const PLACE_NAMES = ['channel', 'folder', 'conversation', 'location', 'album']
const TITLE_CHARS = 120
/** Names of people and places are short; what is long in these fields is something else. */
const NAME_CHARS = 120
/** Fields that are the message itself: as a title they would only say again what the evidence shows. */
const BODY_NAMES = new Set(['text', 'body', 'content', 'message', 'note', 'description'])

/** Who, when and where, as far as the source has it and the scope shows it. */
export interface Label {
  readonly title: string
  readonly actor: string | undefined
  readonly authoredAt: string | undefined
  /** The conversation, thread, channel or folder. */
  readonly place: string | undefined
}

export function labelOf(scope: ReadScope, data: Readonly<Record<string, unknown>>, source: string): Label {
  const usable = (name: string | undefined | null): name is string => name != null && includesField(scope.usable, name)
  const text = (name: string | undefined) =>
    usable(name) && typeof data[name] === 'string' && /\S/.test(data[name]) ? data[name] : undefined
  const { stream } = scope
  const times = [withRole(stream, 'event-time'), stream.consent_time_field, stream.cursor_field]
  const time = firstOf(times, (name) => timeIn(text(name)))
  const titleField = withRole(stream, 'primary-title')
  const title =
    (titleField === undefined || BODY_NAMES.has(titleField) ? undefined : text(titleField)) ??
    firstOf(TITLE_NAMES, text)
  const short = (value: string | undefined) => (value === undefined ? undefined : previewChars(value, NAME_CHARS))
  const actor = short(text(withRole(stream, 'actor')) ?? firstOf(ACTOR_NAMES, text))
  const place = short(firstOf(PLACE_NAMES, text) ?? text(stream.query?.group_field))
  const composed = [actor, firstOf(PLACE_NAMES, text) ?? stream.display?.label ?? stream.name, time?.slice(0, 10)]
  return {
    title: previewChars(
      title?.replace(/\s+/g, ' ') ??
        [...(actor === undefined ? [source] : []), ...composed].filter(Boolean).join(' / '),
      TITLE_CHARS,
    ),
    actor,
    authoredAt: short(time),
    place,
  }
}

function withRole(stream: StreamDeclaration, role: string): string | undefined {
  const properties = stream.schema['properties'] as Record<string, Record<string, unknown>>
  return [...declaredFields(stream).keys()].find((name) => properties[name]?.['x_pdpp_role'] === role)
}

/** A cursor field may be a name or a number. */
const timeIn = (text: string | undefined): string | undefined =>
  text !== undefined && parseInstant(text) !== undefined ? text : undefined

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

/** What sources call these fields; the schema goes by the same names. */
export { ACTOR_NAMES, BODY_NAMES, PLACE_NAMES, TITLE_NAMES }
