import { isFieldName } from '@pdpp/protocol'

/** The words of a column's name, which hint at its content. Names come in `snake_case`, `camelCase` and with spaces. */
const words = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase()

const matching = (pattern: RegExp) => (name: string) => pattern.test(words(name))

export const saysTime = matching(
  /(^|_)(time|date|datetime|dt|at|on|ts|timestamp|stamp|when|created|updated|modified|sent|received|visited|played|start|end|started|ended|finished|expires|visit|visits|added|seen|datum|zeit|fecha)($|_)|(date|time|_at|_ts)$/,
)
export const saysId = matching(
  /(^|_)(id|ids|uuid|guid|key|code|number|no|nr|isbn|sku|hash|ref|reference|uri)$|^(id|uuid|guid|key)(_|$)/,
)
export const saysUnit = matching(
  /(^|_)(url|uri|href|link|path|email|mail|address|phone|tel|mobile|hash|token|zip|postcode|plz|color|colour|locale|lang|mime|ip)($|_)/,
)
export const saysText = matching(
  /(^|_)(text|body|message|content|contents|description|comment|comments|note|notes|summary|caption|review|abstract|memo|details|title|subject|name|headline|question|answer|lyrics|transcript|purpose|verwendungszweck|beschreibung|betreff|nachricht)($|_)/,
)
export const saysTitle = matching(
  /(^|_)(title|subject|headline|name|label|summary|caption|track|song|product|item|topic|betreff|titel)($|_)/,
)
export const saysActor = matching(
  /(^|_)(author|sender|from|user_name|username|artist|artist_name|creator|by|payee|merchant|vendor|seller|speaker|contact|from_name|sender_name|empfanger|auftraggeber)($|_)/,
)
export const saysGroup = matching(
  /(^|_)(conversation|thread|channel|chat|album|session|playlist|trip|workout|project|topic)(_id|_name)?$/,
)

/** Ranks a field as the time of a record. The time of the event ranks above the time of a change or of the end. */
export function timeRank(name: string): number {
  const text = words(name)
  if (/birth|born|expir|due|valid_|until|delete|cancel/.test(text)) return -3
  if (/updat|modif|last|edit|sync|import|fetch|download|changed/.test(text)) return -1
  if (/^(sent|sent_at|sent_date|timestamp|time|date|datetime|when|ts|at)$/.test(text)) return 3
  if (/sent|occur|happen|play|visit|start|book|purchas|order|paid|post|publish|creat|date|time/.test(text)) return 2
  return /end|finish|added|receiv|_at$|seen/.test(text) ? 1 : 0
}

/** Ranks a field as the key: `id` above `order_id`, and that above a code or a hash. */
export function keyRank(name: string, stream: string): number {
  const text = words(name)
  if (/^(id|_id|uuid|guid|key|message_id|record_id)$/.test(text)) return 4
  const singular = words(stream).replace(/s$/, '')
  if (text === `${singular}_id` || text === `${singular}id` || text === `${singular}_number`) return 3
  if (/(^|_)(id|uuid|guid)$/.test(text)) return 2
  return saysId(name) || /(^|_)(url|email)$/.test(text) ? 1 : 0
}

/** Makes a valid field name from a column name. It is unique within `taken`. */
export function fieldName(column: string, at: number, taken: ReadonlySet<string>): string {
  let base = column
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[[\],]/g, '_')
    .trim()
  while (Buffer.byteLength(base) > 180) base = base.slice(0, -10).toWellFormed()
  if (!isFieldName(base)) base = base === '__proto__' ? '_proto_' : `column_${at + 1}`
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base}_${count}`
  return name
}

/** Makes the name of a stream or source from the name of a file or table. */
export function legalName(text: string, fallback: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-_.]+|[-_.]+$/g, '')
    .slice(0, 80)
  return name === '' ? fallback : name
}
