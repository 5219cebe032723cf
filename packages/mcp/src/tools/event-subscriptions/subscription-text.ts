import { shortLine, zonedTime } from '../../rendering/safe-text.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '../../resource-server/envelope.ts'

const NAMES_SHOWN = 12

/** One line: state, delivery, filters, and results so far. */
export function subscriptionLine(subscription: Readonly<JsonObject>): string {
  const failure = objectOf(subscription['last_failure'])
  const facts = [
    word(subscription['status'], 'state unknown'),
    heardBy(subscription),
    scopeText(objectOf(subscription['scope'])),
    time('created', subscription['created_at']),
    time('last success', subscription['last_success_at']),
    textOf(failure['at']) && `last failure ${zonedTime(String(failure['at']))} (${failureText(failure)})`,
    textOf(subscription['disabled_reason']) && `reason: ${shortLine(String(subscription['disabled_reason']), 200)}`,
  ].filter((fact) => fact !== undefined)
  return `${word(subscription['subscription_id'], 'no id')}: ${facts.join('; ')}`
}

/** The most useful next call for the subscription's state. */
export function nextStep(subscription: Readonly<JsonObject>): string {
  const id = word(subscription['subscription_id'], '')
  const args = JSON.stringify({ subscription_id: id })
  switch (subscription['status']) {
    case 'pending_verification':
      return `Next: the address answers the challenge (event_subscription_capabilities says how); then get_event_subscription ${args} shows active.`
    case 'active':
      return subscription['delivery'] === 'poll' ? pollStep(id) : `Next: send_test_event ${args} tries it.`
    case 'disabled_revoked':
      return 'Next: nothing. The grant has ended; the owner can grant access again, and a new subscription goes with it.'
    case 'disabled_failure':
      return `Next: repair the receiver, then update_event_subscription ${JSON.stringify({ subscription_id: id, enabled: true })}`
    case 'disabled':
      return `Next: update_event_subscription ${JSON.stringify({ subscription_id: id, enabled: true })} switches it on.`
    default:
      return `Next: get_event_subscription ${args}`
  }
}

/** Only one result ever contains the secret, so the text says what to do with it now. */
export function secretLines(body: Readonly<JsonObject>): string[] {
  const secret = textOf(body['secret'])
  return secret === undefined
    ? []
    : [
        `secret: ${shortLine(secret, 200)}`,
        'This secret is shown once: store it at the receiver now, and nowhere else. If it is lost, update_event_subscription with rotate_secret makes a new one.',
      ]
}

const pollStep = (id: string): string =>
  `Next: GET /v1/event-subscriptions/${id}/events?wait=30 with the same token, then again with after=<next_cursor>.`

function heardBy(subscription: Readonly<JsonObject>): string | undefined {
  const url = textOf(subscription['callback_url'])
  if (url !== undefined) return `webhook to ${shortLine(url, 300)}`
  return textOf(subscription['delivery']) && shortLine(String(subscription['delivery']), 40)
}

function scopeText(scope: Readonly<JsonObject>): string | undefined {
  const streams = objectsOf(scope['streams'])
  if (streams.length === 0) return
  const names = streams.slice(0, NAMES_SHOWN).map((stream) => {
    const connections = (Array.isArray(stream['instance_ids']) ? stream['instance_ids'] : []).map(String)
    const shown = connections.slice(0, NAMES_SHOWN).map((id) => shortLine(id, 100))
    const others = connections.length - shown.length + countOf(stream['omitted_instance_count'])
    const rest = others > 0 ? [`${others} more`] : []
    return `${word(stream['name'], '')}${shown.length === 0 ? '' : ` of ${[...shown, ...rest].join(', ')}`}`
  })
  const others = streams.length - names.length + countOf(scope['omitted_stream_count'])
  const rest = others > 0 ? [`${others} more streams`] : []
  const kinds = objectOf(scope['filters'])['change_kinds']
  const only = Array.isArray(kinds) ? ` (${kinds.map((kind) => shortLine(String(kind), 20)).join(', ')} only)` : ''
  return `hears of ${[...names, ...rest].join(' | ')}${only}`
}

function failureText(failure: Readonly<JsonObject>): string {
  const status = typeof failure['status'] === 'number' ? `${failure['status']} ` : ''
  return `${status}${word(failure['reason'], 'no reason given')}`
}

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
const time = (label: string, value: unknown): string | undefined =>
  textOf(value) && `${label} ${zonedTime(String(value))}`
const word = (value: unknown, otherwise: string): string => shortLine(textOf(value) ?? otherwise, 200)
