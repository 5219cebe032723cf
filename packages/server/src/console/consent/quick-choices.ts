import { html } from 'hono/html'
import { FIND_FIELD } from '../../authorization/consent/listing.ts'
import { isPressed, type SharedPreset } from '../../authorization/consent/shared-presets.ts'
import { count, day } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import type { ConsentView } from './page.ts'

/** An access that can be chosen again, with the name of its agent. */
export interface NamedAccess {
  readonly id: string
  readonly agent: string
}

/** The access that this agent had before. */
export interface EarlierAccess {
  readonly id: string
  readonly sources: readonly string[]
  /** When it ended. Undefined if it is still active. */
  readonly endedAt: number | undefined
}

/** Buttons that set many ticks at once, and the search field for sources. */
export function quickChoices(view: ConsentView): Markup {
  const { listing } = view
  const isMany = listing.kind !== 'lines'
  return html`<div class="over-list"><div class="chips scroll" role="group" aria-label="Quick choices">${view.presets.flatMap(
    (preset) => {
      const text = textOf(view, preset)
      if (text === undefined) return []
      const pressed = isPressed(preset, view.choice)
      return [
        html`<button class="chip" id="${idOf(preset)}" name="preset" value="${preset.value}" aria-pressed="${pressed ? 'true' : 'false'}">${pressed ? icon('check') : ''}${text}</button>`,
      ]
    },
  )}</div>
${
  isMany
    ? html`<div class="find-source"><label class="hidden-label" for="find">Find a source by name</label>${icon('search')}<input type="search" id="find" name="${FIND_FIELD}" value="${listing.kind === 'found' ? listing.find : ''}" placeholder="Find one of ${count(listing.total)}" maxlength="100" autocomplete="off"><button class="button plain small without-script" name="decision" value="update">Find</button></div>`
    : html`<span class="small dim unit">${unitOf(view)}</span>`
}</div>`
}

const idOf = ({ value }: SharedPreset): string => `p-${value.replaceAll(':', '-')}`

function textOf({ others }: ConsentView, { value }: SharedPreset): Markup | undefined {
  if (value === 'all:asked') return html`What it asked for`
  if (value === 'all:ordinary') return html`All but sensitive`
  if (value === 'all:nothing') return html`Nothing`
  const other = others.find(({ id }) => value === `all:same:${id}`)
  return other && html`<span>Same as ${untrustedText(other.agent, 24)}</span>`
}

function unitOf({ choice }: ConsentView): string {
  return { '30': 'Items in 30 days', '365': 'Items in 12 months', '1826': 'Items in 5 years', '': 'Items' }[choice.back]
}

/** Names the sources that this agent could read before, with a button that ticks them again. */
export function earlierAccess({ earlier, presets }: ConsentView): Markup {
  const preset = earlier && presets.find(({ value }) => value === `all:same:${earlier.id}`)
  if (!earlier || !preset) return html``
  const more = earlier.sources.length - 3
  const names = html`${earlier.sources.slice(0, 3).map((name, index) => html`${index === 0 ? '' : ', '}${untrustedText(name, 40)}`)}${more > 0 ? ` and ${more} more` : ''}`
  return html`<p class="small quiet earlier">${earlier.endedAt === undefined ? html`It may already read ${names}.` : html`Last time, until ${day(earlier.endedAt)}, it could read ${names}.`}
<button class="link-button" id="p-same-again" name="preset" value="${preset.value}">Choose the same again</button></p>`
}
