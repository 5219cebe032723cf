import { escapeHidden, madeTitle, previewChars } from '@pdpp/protocol/reading'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import { authoredTime } from '../../records/authored-time.ts'
import { type Amount, amountOf } from '../hits/amount.ts'
import { type Attachments, attachmentsOf } from '../hits/attachments.ts'
import { fieldsWithRole } from '../hits/field-roles.ts'

/** Usual field names of sources. The schema uses the same lists. */
export const TITLE_NAMES = ['title', 'subject', 'name', 'filename', 'track']
export const ACTOR_NAMES = ['author', 'from_name', 'sender', 'from', 'organizer', 'artist', 'merchant', 'role']
export const CONTAINER_NAMES = ['channel', 'folder', 'conversation', 'location', 'album']
const TITLE_CHARS = 120
/** Max. characters of an actor or container. Longer values in these fields are something else. */
const NAME_CHARS = 120
/**
 * Max. average bytes per character in the result. Only escaped hidden characters take more, so fewer of them are shown.
 */
const BYTES_PER_CHAR = 4
/** Max. bytes of one UTF-16 unit in the result, and bytes of the quotation marks. */
const MAX_UNIT_BYTES = 9
const QUOTES = 2
/** Fields with the message itself. As a title they would repeat the evidence. */
export const BODY_NAMES = new Set(['text', 'body', 'content', 'message', 'note', 'description'])
/** Fields with references to other records, which readers do not understand. */
const REFERENCE = /(?:^|_)ids?$|[a-z]Ids?$/

/** Describes a record by who, when and where, if the source has it and the scope includes it. No value is repeated. */
export interface Label {
  readonly title: string
  readonly actor: string | undefined
  readonly authoredAt: string | undefined
  /** The conversation, thread, channel or folder. The wire member is `place`. */
  readonly container: string | undefined
  readonly amount?: Amount | undefined
  readonly attachments?: Attachments | undefined
}

export function labelOf(scope: ReadScope, data: Readonly<Record<string, unknown>>, source: string): Label {
  const usable = (name: string | undefined | null): name is string => name != null && includesField(scope.usable, name)
  const text = (name: string | undefined) =>
    usable(name) && typeof data[name] === 'string' && /\S/.test(data[name]) ? data[name] : undefined
  const { stream } = scope
  const time = authoredTime(scope, data)
  const [titleField] = fieldsWithRole(stream, 'primary-title')
  const named =
    (titleField === undefined || BODY_NAMES.has(titleField) ? undefined : text(titleField)) ??
    firstOf(TITLE_NAMES, text)
  const actor = short(text(fieldsWithRole(stream, 'actor')[0]) ?? firstOf(ACTOR_NAMES, text))
  const container = short(firstOf(CONTAINER_NAMES, text))
  const groupField = stream.query?.group_field
  const group = groupField == null || REFERENCE.test(groupField) ? undefined : short(text(groupField))
  const place = container ?? stream.display?.label ?? stream.name
  const title = bounded(named?.replace(/\s+/g, ' ') ?? madeTitle({ actor, source, place, time }), TITLE_CHARS)
  const once = (value: string | undefined, ...others: (string | undefined)[]) =>
    value === undefined || others.includes(value) ? undefined : value
  return {
    title,
    actor: once(actor, title),
    authoredAt: short(time),
    container: once(container ?? group, title, actor),
    amount: amountOf(scope, data),
    attachments: attachmentsOf(scope, data),
  }
}

const short = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : bounded(value, NAME_CHARS)

/** Returns the start of a text, limited to `chars` characters and to the bytes they usually take. */
function bounded(text: string, chars: number): string {
  const maxBytes = chars * BYTES_PER_CHAR
  if (text.length <= chars && text.length * MAX_UNIT_BYTES + QUOTES <= maxBytes) return text
  let start = previewChars(text, chars)
  for (let kept = chars, bytes = writtenBytes(start); bytes > maxBytes && kept > 1; bytes = writtenBytes(start)) {
    kept = Math.max(1, Math.floor((kept * maxBytes) / bytes))
    start = previewChars(text, kept)
  }
  return start
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
