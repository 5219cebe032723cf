import { html } from 'hono/html'
import { type BackDays, isChosen } from '../../authorization/consent/choice.ts'
import { countTicked } from '../../authorization/consent/listing.ts'
import { countOf } from '../../authorization/consent/preview.ts'
import { startOf } from '../../authorization/consent/review.ts'
import { counted, dayText } from '../frame/dates.ts'
import type { Markup } from '../frame/untrusted-text.ts'
import { party } from './identity.ts'
import type { ConsentView } from './page.ts'
import { backWords } from './periods.ts'

/** The whole choice in one sentence, computed from the grants that an approval would create. */
export function sumOf(view: ConsentView): Markup {
  const { request, choice, review } = view
  if (review.grants.length === 0) return html`Tick at least one source.`
  const ticked = countTicked(request.offer, choice)
  const all = request.offer.reduce((sum, { connections }) => sum + connections.length, 0)
  const { number, isWhole } = itemsOf(view)
  return html`${party(request)} may read <strong>${sourcesOf(ticked, all, request.requested !== undefined)}</strong>, ${periodOf(view)}, ${endOf(view)}. <span class="today">Today that is <strong>${isWhole ? '' : 'more than '}${counted(number, 'item')}</strong>.</span>`
}

function sourcesOf(ticked: number, all: number, isAsked: boolean): string {
  const sources = counted(all, 'source')
  if (isAsked && ticked < all) return `${ticked} of the ${sources} it asked for`
  if (isAsked) return all === 1 ? 'the source it asked for' : `all ${sources} it asked for`
  if (ticked < all) return `${ticked} of your ${sources}`
  return all === 1 ? 'your only source' : `all your ${sources}`
}

/** Number of shared items now. Marked as incomplete if some of them could not be counted in time. */
function itemsOf({ request, choice, preview, review }: ConsentView): { number: number; isWhole: boolean } {
  const shared = new Map(review.grants.map(({ source, draft }) => [source.key, draft]))
  const counts = request.offer
    .filter(({ key }) => isChosen(choice.sources.get(key)) && shared.has(key))
    .map((source) => {
      const names = shared.get(source.key)!.streams.map(({ name }) => name)
      const ids = [...new Set(shared.get(source.key)!.streams.flatMap((stream) => stream.instance_ids))]
      const seen = preview.get(source.key)
      return seen && countOf(seen, source, names, ids)
    })
  return {
    number: counts.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    isWhole: !counts.includes(undefined),
  }
}

/** Days that the owner set for a source limit only that source, so the sentence also says what limits the others. */
function periodOf({ choice, review: { grants } }: ConsentView): Markup {
  const isOwn = ({ source }: (typeof grants)[number]) => {
    const { from, to } = choice.sources.get(source.key)!
    return from + to !== ''
  }
  const others = grants.filter((one) => !isOwn(one))
  if (others.length === 0) return html`<strong>only the days that you set</strong>`
  const period = sharedPeriod(choice.back, others)
  return others.length === grants.length ? period : html`${period} except where you set days`
}

function sharedPeriod(back: BackDays, grants: ConsentView['review']['grants']): Markup {
  const limits = grants.flatMap(({ draft }) => draft.streams.flatMap(({ time_constraint: time }) => time ?? []))
  if (limits.length === 0) return html`from any time`
  const asked = 'only the days that it asked for'
  if (back === '') return html`<strong>${asked}</strong>`
  // The client may have asked for less than the chosen period. Then the period removes nothing.
  const start = Date.parse(startOf(back)!)
  const isLater = ({ since }: { readonly since?: string | undefined }) =>
    since !== undefined && Date.parse(since) > start
  if (limits.every(isLater)) return html`<strong>${asked}</strong>`
  const isAsked = limits.some((limit) => isLater(limit) || limit.until !== undefined)
  return html`<strong>${isAsked ? `${asked}, within ` : ''}${backWords[back]}</strong>`
}

function endOf({ review: { singleUse, expiresAt } }: ConsentView): Markup {
  if (singleUse) return html`<strong>for 1 hour</strong>, one time only`
  return expiresAt === undefined
    ? html`<strong>until you stop it</strong>`
    : html`until <strong>${dayText(Date.parse(expiresAt))}</strong>`
}
