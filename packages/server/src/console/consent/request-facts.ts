import { html } from 'hono/html'
import type { OfferedSource } from '../../authorization/consent/offer.ts'
import { isTraining } from '../../authorization/requests/authorization-details.ts'
import type { RequestedAccess } from '../../authorization/requests/requested-access.ts'
import { durationText } from '../frame/dates.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

/** Max. characters that a client may send for a purpose. Nothing is cut, because the owner agrees to all of it. */
const CLAIM_CHARS = 500
/** Longer claims are folded, so that the page fits on one screen. */
const MAX_INLINE_CHARS = 200
/** Max. sources whose purposes are listed next to the periods. */
const MAX_LINES = 5

const PURPOSES: Readonly<Record<string, string>> = {
  personalization: 'to adapt itself to you',
  analytics: 'to analyse how things are used',
  export: 'to copy your data to another place',
  agent_context: 'to answer you with your own data at hand',
  ai_training: 'to train an AI model',
  research: 'for research',
}

/** The client's own statements, if they are the same for all sources. Otherwise each source shows its own. */
export function sharedFacts(offer: readonly OfferedSource[]): Markup | undefined {
  const [first, ...others] = offer.map(({ asked }) => asked)
  if (!first || others.some((one) => !one || factsKey(one) !== factsKey(first))) return
  return requestFacts(first)
}

/** One line per source with its purpose, for a client that gives different purposes. */
export function purposeLines(offer: readonly OfferedSource[]): Markup {
  const asked = offer.flatMap(({ declaration, asked: one }) => (one ? [{ name: declaration.display.name, one }] : []))
  const more = asked.length - MAX_LINES
  return html`<ul class="purpose small">${asked.slice(0, MAX_LINES).map(({ name, one }) => html`<li>It asks for ${untrustedText(name, 60)} ${purposeOf(one)}.</li>`)}${more > 0 ? html`<li>and ${more} more. Each source says what for.</li>` : ''}</ul>`
}

const factsKey = ({ purposeCode, purposeDescription, retention, commitments }: RequestedAccess): string =>
  JSON.stringify([purposeCode, purposeDescription, retention, commitments])

export function requestFacts({ purposeCode, purposeDescription, retention, commitments }: RequestedAccess): Markup {
  const claims = [
    ...(purposeDescription === undefined
      ? []
      : [html`In its own words: “${untrustedText(purposeDescription, CLAIM_CHARS)}”`]),
    ...(retention === undefined
      ? []
      : [
          html`It says it will ${retention.on_expiry === 'delete' ? 'delete' : 'anonymise'} it after ${durationText(retention.max_duration)}.`,
        ]),
    ...commitments.map((text) => html`It promises: “${untrustedText(text, CLAIM_CHARS)}”`),
  ]
  const said = claims.map((text) => html`<p class="quiet">${text}</p>`)
  const chars = [purposeDescription ?? '', ...commitments].join('').length
  return html`<div class="purpose small"><p>It asks ${purposeOf({ purposeCode })}.</p>
${chars > MAX_INLINE_CHARS ? html`<details class="more" id="claims"><summary>What it says about itself</summary>${said}</details>` : said}</div>`
}

function purposeOf({ purposeCode }: Pick<RequestedAccess, 'purposeCode'>): Markup {
  const code = /^https:\/\/pdpp\.dev\/purpose\/(\w+)$/.exec(purposeCode)?.[1] ?? ''
  const purpose = Object.hasOwn(PURPOSES, code)
    ? html`${PURPOSES[code]}`
    : html`for a purpose that this server does not know: <code>${untrustedText(purposeCode, CLAIM_CHARS)}</code>`
  return isTraining(purposeCode) ? html`<strong>${purpose}</strong>` : purpose
}
