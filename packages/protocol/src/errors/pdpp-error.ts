import { type ErrorCode, type ErrorType, errorType, STATUS_BY_CODE } from './error-codes.ts'
import { type ErrorReason, type ErrorSurface, nextStepsOf } from './next-steps.ts'

/** A source that a refused request could have meant. */
export interface ConnectionCandidate {
  readonly connection_id: string
  readonly connector_key: string
  readonly grant_id: string | null
  readonly display_name?: string
  /** True if the requested stream can be read there. */
  readonly has_stream?: boolean
}

/** The access that a grant would have to include for the refused request. It never reveals whether such data exists. */
export type LackingAccess =
  | { readonly kind: 'stream'; readonly stream: string }
  | { readonly kind: 'field'; readonly connectorKey: string; readonly stream: string; readonly field: string }
  | {
      readonly kind: 'time'
      readonly connectorKey: string
      readonly stream: string
      /** The requested days: `since` is the first day, `until` is the day after the last. Absent means no limit. */
      readonly since?: string
      readonly until?: string
    }

export interface ErrorDetail {
  readonly param?: string
  /** Selects a text from the table of next steps that differs from the code's standard text. */
  readonly reason?: ErrorReason
  /** A sentence for this one error. Every surface shows it, so it names no route, no tool and no flag. */
  readonly nextStep?: string
  readonly retryWith?: 'connection_id'
  readonly candidates?: readonly ConnectionCandidate[]
  readonly retryAfterSeconds?: number
  /** The error that the WWW-Authenticate header of a 401 reports about the sent token (RFC 6750 section 3.1). */
  readonly challenge?: 'invalid_token'
  /** Set if a wider grant would have allowed the request. It does not cross the wire. */
  readonly lacks?: LackingAccess
  /** The page of this server where the signed-in owner can allow exactly the missing access (point 43). */
  readonly requestAccessUrl?: string
  /** Replaces the status of the code if the ended grant is not the one that the request used. */
  readonly status?: 409
}

/** Max. candidates in an answer. The others are only counted. */
export const MAX_CANDIDATES = 12

/** The only error that our code throws across layers. Each surface converts it once. */
export class PdppError extends Error {
  override readonly name = 'PdppError'
  readonly code: ErrorCode
  readonly detail: ErrorDetail

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message)
    this.code = code
    this.detail = detail
  }

  get status(): number {
    return this.detail.status ?? STATUS_BY_CODE[this.code]
  }

  get nextStep(): string {
    return this.nextStepOn('rest')
  }

  nextStepOn(surface: ErrorSurface): string {
    return this.detail.nextStep ?? nextStepsOf(this.code, this.detail.reason)[surface]
  }

  /** The error object of an HTTP answer. */
  toWire(requestId: string): WireError {
    const { param, retryWith, candidates, requestAccessUrl } = this.detail
    return {
      type: errorType(this.status),
      code: this.code,
      message: this.message,
      http_status: this.status,
      next_step: this.nextStep,
      request_id: requestId,
      ...(param === undefined ? {} : { param }),
      ...(retryWith === undefined ? {} : { retry_with: retryWith }),
      ...(candidates === undefined ? {} : candidateMembers(candidates)),
      ...(requestAccessUrl === undefined ? {} : { request_access_url: requestAccessUrl }),
    }
  }
}

export interface WireError {
  readonly type: ErrorType
  readonly code: ErrorCode
  readonly message: string
  readonly http_status: number
  readonly next_step: string
  readonly request_id: string
  readonly param?: string
  readonly retry_with?: string
  readonly available_connections?: readonly ConnectionCandidate[]
  readonly available_connection_count?: number
  readonly available_connections_truncated?: true
  readonly request_access_url?: string
  readonly resource_metadata?: string
}

function candidateMembers(candidates: readonly ConnectionCandidate[]) {
  return {
    available_connections: candidates.slice(0, MAX_CANDIDATES),
    available_connection_count: candidates.length,
    ...(candidates.length > MAX_CANDIDATES ? { available_connections_truncated: true as const } : {}),
  }
}
