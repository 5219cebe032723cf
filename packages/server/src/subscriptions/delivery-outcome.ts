import { AddressNotAllowed, type PostAnswer } from '../lib/guarded-fetch.ts'
import { RETRY } from './limits.ts'
import type { StoredEvent } from './subscription-store.ts'

export interface DeliveryOutcome {
  readonly isSuccess: boolean
  /** 410: the receiver does not want any more events. */
  readonly isGone: boolean
  readonly status: number | undefined
  /** For the client. Reveals nothing about the server's network. */
  readonly reason: string
  /** For the owner. */
  readonly detail: string
  readonly retryAfterMs: number | undefined
}

/** Interprets an answer. Only 2xx is a success. A redirect is not followed and counts as a failure. */
export function outcomeOf(event: StoredEvent, answer: PostAnswer, now: number): DeliveryOutcome {
  const { status } = answer
  const isAccepted = status >= 200 && status < 300
  const isSuccess = isAccepted && (event.type !== 'pdpp.subscription.verify' || isAnswered(event, answer.text))
  const reason = isSuccess
    ? 'ok'
    : isAccepted
      ? 'wrong_challenge'
      : status >= 300 && status < 400
        ? 'redirect'
        : 'status'
  return {
    isSuccess,
    isGone: status === 410,
    status,
    reason,
    detail: reason === 'status' ? `status_${status}` : reason,
    retryAfterMs: retryAfter(answer.retryAfter, now),
  }
}

/** There was no answer. The client does not learn why, so that it cannot explore a network through this server. */
export function outcomeOfError(error: unknown): DeliveryOutcome {
  const isForbidden = error instanceof AddressNotAllowed
  const detail = isForbidden ? 'address_not_allowed' : isTimeout(error) ? 'timeout' : 'unreachable'
  return { isSuccess: false, isGone: false, status: undefined, reason: 'unreachable', detail, retryAfterMs: undefined }
}

/** When to try again after this many attempts, in milliseconds. */
export function retryDelay(attempts: number, firstMs: number = RETRY.firstMs, random = Math.random()): number {
  const delay = Math.min(RETRY.maxMs, firstMs * RETRY.factor ** Math.max(0, attempts - 1))
  return Math.round(delay * (1 + RETRY.jitter * (2 * random - 1)))
}

function isAnswered(event: StoredEvent, text: string | undefined): boolean {
  try {
    return (JSON.parse(text ?? '') as { challenge?: unknown } | null)?.challenge === event.data['challenge']
  } catch {
    return false
  }
}

/** Seconds or a date (RFC 9110 section 10.2.3), within bounds. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  const { min, max } = RETRY.retryAfter
  return Number.isNaN(ms) ? undefined : Math.min(max, Math.max(min, ms))
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || error.name === 'TimeoutError' || error.message === 'timed out')
