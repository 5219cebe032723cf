import { Webhook } from 'standardwebhooks'
import { type AllowedHosts, type PostAnswer, postGuarded } from '../lib/guarded-fetch.ts'
import { isLoopbackUrl } from './callback-address.ts'

/** Max. bytes of an answer. Only the answer to a challenge is read at all. */
const MAX_ANSWER_BYTES = 4_096

export interface SignedPost {
  readonly url: string
  readonly eventId: string
  readonly body: string
  /** Newest first. The receiver accepts any of them. */
  readonly secrets: readonly string[]
  readonly timeoutMs: number
  readonly hosts: AllowedHosts
  readonly allowsHttp: boolean
  /** False unless the event is a challenge, because only its answer matters. */
  readonly readsAnswer: boolean
}

/** Sends one event according to Standard Webhooks 1.0. Resolves, checks and pins the address every time. */
export function postSigned(post: SignedPost): Promise<PostAnswer> {
  const { url: text, eventId, body, secrets, timeoutMs, hosts, allowsHttp, readsAnswer } = post
  const url = new URL(text)
  const now = new Date()
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'user-agent': 'PDPP',
    accept: 'application/json',
    'accept-encoding': 'identity',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, now, body)).join(' '),
  }
  const limits = { timeoutMs, maxBytes: MAX_ANSWER_BYTES }
  const sent = { headers, body, readsAnswer, allowsHttp: allowsHttp && isLoopbackUrl(url) }
  return postGuarded(url, sent, limits, hosts)
}
