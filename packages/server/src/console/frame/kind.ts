import { html } from 'hono/html'
import { type IconName, icon } from './icons.ts'
import { type Markup, plainText } from './untrusted-text.ts'

/** The everyday names for the items of a stream. Each kind has an icon and a colour. */
export const KINDS = {
  mail: 'Mail',
  chat: 'Chats',
  event: 'Calendar',
  note: 'Notes',
  photo: 'Photos',
  place: 'Places',
  buy: 'Purchases',
  music: 'Music',
  ai: 'AI chats',
  people: 'Contacts',
  web: 'Web',
  health: 'Health',
  file: 'Other',
} as const satisfies Partial<Record<IconName, string>>
export type Kind = keyof typeof KINDS

/** Words in the names of sources and streams, and the kind that each word indicates. The first match wins. */
const WORDS: readonly (readonly [RegExp, Kind])[] = [
  [/\b(attachments?|files?|documents?|drive)\b/, 'file'],
  [/\b(assistants?|chatgpt|claude|gemini|copilot|prompts?)\b/, 'ai'],
  [/\b(contacts?|people|persons?|address ?book|vcard)\b/, 'people'],
  [/\b(mails?|mailbox|email|gmail|imap|inbox|threads?)\b/, 'mail'],
  [/\b(chats?|whatsapp|telegram|signal|slack|discord|imessage|sms|channels?|conversations?|messages?)\b/, 'chat'],
  [/\b(calendars?|events?|appointments?|ical|ics)\b/, 'event'],
  [/\b(notes?|diary|journal|keep|obsidian|markdown|notion|todo|tasks?)\b/, 'note'],
  [/\b(photos?|pictures?|images?|videos?|camera)\b/, 'photo'],
  [/\b(places?|locations?|maps?|trips?|timeline|travel)\b/, 'place'],
  [/\b(purchases?|orders?|shop|shopping|bank|transactions?|payments?|invoices?|receipts?|coffee|spending)\b/, 'buy'],
  [/\b(music|spotify|songs?|plays?|tracks?|listening|podcasts?|albums?|artists?)\b/, 'music'],
  [/\b(web|browser|history|visits?|bookmarks?|urls?|searches|youtube|watch)\b/, 'web'],
  [/\b(health|steps|sleep|heart|workouts?|fitness|weight)\b/, 'health'],
]

/** The stream's own name is examined first, because it says more than the name of its source. */
export function kindOf(stream: string, source: string): Kind {
  const words = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ')
  const kindIn = (text: string) => WORDS.find(([pattern]) => pattern.test(words(text)))?.[1]
  const own = kindIn(stream)
  const wider = kindIn(source)
  // "messages" alone means a chat, but in a mailbox it means mail, and with an assistant it means a conversation with
  // it.
  return own === 'chat' && wider !== undefined ? wider : (own ?? wider ?? 'file')
}

/** A square tile with the icon of a kind. */
export const kindTile = (kind: Kind): Markup => html`<span class="tile k-${kind}">${icon(kind)}</span>`

/**
 * A violet tile with the initials of an agent. It shows no logo, because a copied logo would create unverified trust.
 */
export function agentTile(name: string, size: 'small' | 'big' = 'small'): Markup {
  return html`<span class="tile bot${size === 'big' ? ' big' : ''}" aria-hidden="true">${initials(name)}</span>`
}

function initials(name: string): string {
  const words = plainText(name, 60)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const [first = '?', second] = words
  return (second === undefined ? [...first].slice(0, 2).join('') : [...first][0]! + [...second][0]!).toUpperCase()
}

/** The names of a part and its source. One word if both are the same. */
export const partOf = (part: string, source: string): string =>
  part.toLowerCase() === source.toLowerCase() ? part : `${part} in ${source}`

export const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text)

/** The words from which the kind of a source is recognised. */
export const sourceWords = ({
  connector_key: key,
  display,
}: {
  readonly connector_key: string
  readonly display?: { readonly name?: string | undefined } | undefined
}): string => `${key} ${display?.name ?? ''}`
