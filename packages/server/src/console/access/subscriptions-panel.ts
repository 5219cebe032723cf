import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import type { DeliveryLogEntry, StoredSubscription } from '../../subscriptions/subscription-store.ts'
import { ago, moment } from '../frame/dates.ts'
import { form } from '../frame/layout.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { listed } from './access-text.ts'

/** A subscription with its last deliveries, newest first. */
export interface ShownSubscription {
  readonly subscription: StoredSubscription
  readonly deliveries: readonly DeliveryLogEntry[]
}

const STATUS: Readonly<Record<StoredSubscription['status'], { readonly text: string; readonly tone: string }>> = {
  active: { text: 'active', tone: 'good' },
  pending_verification: { text: 'not verified yet', tone: 'warn' },
  disabled: { text: 'stopped', tone: '' },
  disabled_failure: { text: 'failed', tone: 'warn' },
  disabled_revoked: { text: 'ended', tone: '' },
}

const REASONS: Readonly<Record<string, string>> = {
  stopped_by_owner: 'You have stopped it.',
  disabled_by_client: 'The agent has switched it off.',
  outside_grant: 'Its access no longer includes what it was about.',
  grant_revoked: 'Its access was revoked.',
  grant_expired: 'Its access has ended.',
  receiver_gone: 'The receiver does not want to hear of changes any more.',
  verification_failed: 'The receiver did not answer the challenge.',
  no_success_for_three_days: 'Nothing could be delivered for three days.',
}

const OUTCOMES: Readonly<Record<string, string>> = {
  ok: 'delivered',
  timeout: 'no answer in time',
  unreachable: 'not reachable',
  address_not_allowed: 'the address is not allowed',
  redirect: 'redirected, which is not followed',
  wrong_challenge: 'wrong answer to the challenge',
}

const TYPES: Readonly<Record<DeliveryLogEntry['type'], string>> = {
  'pdpp.records.changed': 'Changes',
  'pdpp.subscription.verify': 'Challenge',
  'pdpp.subscription.test': 'Test',
  'pdpp.grant.revoked': 'Revocation',
}

/** Lists the addresses at which the agent receives events. Empty if it has no subscription. */
export function subscriptionsPanel(
  pageSession: PageSession,
  grantId: string,
  subscriptions: readonly ShownSubscription[],
): Markup | string {
  if (subscriptions.length === 0) return ''
  return html`<section class="panel" id="subscriptions"><h2>Where it is told of changes</h2>
<p class="small quiet">Events say that something changed and how much, never what. The agent then reads it with this access.</p>
${subscriptions.map((shown) => subscriptionPart(pageSession, grantId, shown))}</section>`
}

function subscriptionPart(
  pageSession: PageSession,
  grantId: string,
  { subscription, deliveries }: ShownSubscription,
): Markup {
  const { subscriptionId, callbackUrl, status, disabledReason, filters, createdAt, lastSuccessAt } = subscription
  const { text, tone } = STATUS[status]
  const row = (name: string, value: Markup | string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  const why = disabledReason === undefined ? undefined : (REASONS[disabledReason] ?? disabledReason)
  const action = `/agents/grants/${grantId}/subscriptions/${subscriptionId}/stop`
  const isOver = status === 'disabled_revoked' || disabledReason === 'stopped_by_owner'
  return html`<section class="stack"><h3 class="break">${callbackUrl === undefined ? 'The agent asks for events itself' : untrustedText(callbackUrl, 300)} <span class="badge ${tone}">${text}</span></h3>
${why === undefined ? '' : html`<p>${untrustedText(why, 200)}</p>`}
<dl class="facts tall small">
${row('Parts', filters.streams === undefined ? 'all that it may read' : listed(filters.streams))}
${filters.connectionIds === undefined ? '' : row('Sources', listed(filters.connectionIds))}
${row('Since', moment(createdAt))}
${row('Last delivered', lastSuccessAt === undefined ? 'never' : ago(lastSuccessAt, Date.now()))}
${row('Subscription', html`<code>${untrustedText(subscriptionId, 40)}</code>`)}
</dl>
${deliveries.length === 0 ? '' : deliveryTable(deliveries)}
${isOver ? '' : form(pageSession, { action, purpose: `stop:${subscriptionId}` }, html`<button class="button plain">Stop it</button>`)}</section>`
}

function deliveryTable(deliveries: readonly DeliveryLogEntry[]): Markup {
  return html`<details class="more"><summary class="small">The last deliveries</summary><div class="scroll" tabindex="0" role="region" aria-label="The last deliveries"><table class="table small">
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Part</th><th scope="col">Answer</th></tr></thead>
<tbody>${deliveries.map(
    ({ at, type, stream, connectionId, status, outcome }) =>
      html`<tr><th scope="row">${ago(at, Date.now())}</th><td>${TYPES[type]}</td><td>${stream === undefined ? '' : html`${untrustedText(stream, 60)} (${untrustedText(connectionId ?? '', 40)})`}</td><td>${OUTCOMES[outcome] ?? 'refused'}${status === undefined ? '' : ` (${status})`}</td></tr>`,
  )}</tbody></table></div></details>`
}
