import { html } from 'hono/html'
import type { SourceChoice } from '../../authorization/consent/choice.ts'
import { isSensitive } from '../../authorization/consent/groups.ts'
import type { OfferedSource } from '../../authorization/consent/offer.ts'
import { isDated } from '../../authorization/consent/presets.ts'
import { type Kind, kindOf, sourceWords } from '../frame/kind.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import type { ConsentView } from './page.ts'

/** The owner's name of the connection, or that of its source. */
export function lineName({ connections, declaration }: OfferedSource, id: string): string {
  const own = connections.find(({ connectionId }) => connectionId === id)?.displayName
  return own ?? (connections.length === 1 ? declaration.display.name : id)
}

export const kindOfSource = ({ declaration, streams }: OfferedSource): Kind =>
  kindOf(streams[0]?.maxGrant.name ?? '', sourceWords(declaration))

/** The second line: the parts of the source, or a warning about it. */
export function hintOf(
  { choice }: ConsentView,
  source: OfferedSource,
  own: SourceChoice,
  on: boolean,
): Markup | string {
  const { streams, asked } = source
  if (!on && asked && isSensitive(source)) return 'It asked for this. Tick to share.'
  if (choice.back !== '' && !streams.some(isDated)) return "No dates, so the period doesn't limit it"
  const label = ({ declaration, maxGrant }: (typeof streams)[number]) => declaration.display?.label ?? maxGrant.name
  const chosen = on ? streams.filter(({ maxGrant }) => own.streams.has(maxGrant.name)) : streams
  const names = html`${chosen.slice(0, 4).map((one, index) => html`${index === 0 ? '' : ', '}${untrustedText(label(one), 40)}`)}${chosen.length > 4 ? ` and ${chosen.length - 4} more` : ''}`
  const isLess = on && chosen.some(({ maxGrant }) => own.streams.get(maxGrant.name)!.length < maxGrant.fields.length)
  return html`${on && chosen.length < streams.length ? 'Only ' : ''}${names}${isLess ? ', without some fields' : ''}${own.from + own.to === '' ? '' : ', own days'}`
}
