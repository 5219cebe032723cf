import { setTimeout as wait } from 'node:timers/promises'
import { PdppError } from '@pdpp/protocol/reading'
import { takePart, takeText } from './answer-body.ts'
import { objectOf, parseBody } from './envelope.ts'
import { httpFetch } from './http-fetch.ts'
import { isAboutReach } from './reach-codes.ts'
import {
  type BytesRead,
  type BytesReply,
  type Read,
  type Reply,
  type ResourceServer,
  rangeHeader,
} from './resource-server.ts'
import { readServerFeatures, type ServerFeatures } from './server-features.ts'
import { ownerToken, refuseOwnerToken } from './token-kind.ts'

/** Supplies access tokens. After a 401 the caller asks once for another one. */
export interface BearerSource {
  current(): Promise<string>
  /** Returns a different token than `refused`, or undefined if there is none. */
  replace(refused: string): Promise<string | undefined>
}

const TIMEOUT_MS = 30_000
const ATTEMPTS = 3
const MAX_WAIT_MS = 10_000
/** How long the features of a server are cached. */
const FEATURES_MS = 600_000

/** `/v1` over the network. Repeating a read is safe; nothing is retried with another grant. */
export class HttpResourceServer implements ResourceServer {
  readonly providerUrl: string
  readonly #bearers: BearerSource
  #features: { value: ServerFeatures; until: number } | undefined

  readonly #surface: string | undefined
  readonly #timeoutMs: number
  readonly #forAgents: boolean
  /** The last token that was checked not to be an owner token. */
  #checked: string | undefined

  /**
   * `surface` is only a label for the receipts. With `forAgents`, each token is checked before its first read, because
   * agents must not use owner tokens.
   */
  constructor(
    providerUrl: string,
    bearers: BearerSource,
    {
      surface,
      timeoutMs = TIMEOUT_MS,
      forAgents = false,
    }: { surface?: string; timeoutMs?: number; forAgents?: boolean } = {},
  ) {
    this.providerUrl = providerUrl.replace(/\/+$/, '')
    this.#bearers = bearers
    this.#surface = surface
    this.#timeoutMs = timeoutMs
    this.#forAgents = forAgents
  }

  get(read: Read): Promise<Reply> {
    return this.#withFreshToken(read, JSON_ANSWER)
  }

  getBytes(read: BytesRead): Promise<BytesReply> {
    return this.#withFreshToken(read, {
      // No compression, because sizes and ranges count the bytes of the file.
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...rangeHeader(read) },
      take: (response) => bytesReply(response, read),
      refused: (reply) => ({ ...reply, part: undefined, header: () => undefined }),
    })
  }

  /** Protected, so that only the subclass that writes can call it. */
  protected write(read: Read, write: JsonWrite): Promise<Reply> {
    const { accept } = JSON_ANSWER.headers
    const type: Record<string, string> = write.body === undefined ? {} : { 'content-type': 'application/json' }
    return this.#withFreshToken(read, { ...JSON_ANSWER, headers: { accept: accept!, ...type }, write })
  }

  async #withFreshToken<Given extends Reply>(read: Read, answer: Answer<Given>): Promise<Given> {
    const bearer = await this.#bearers.current()
    const reply = await this.#withCheckedToken(read, bearer, answer)
    // A new token of the same grant would get the same refusal.
    if (reply.status !== 401 || isAboutReach(errorCode(reply))) return reply
    const other = await this.#bearers.replace(bearer)
    return other === undefined ? reply : this.#withCheckedToken(read, other, answer)
  }

  async #withCheckedToken<Given extends Reply>(read: Read, bearer: string, answer: Answer<Given>): Promise<Given> {
    if (this.#forAgents && bearer !== this.#checked) {
      const unclear = await refuseOwnerToken((check) => this.#withRetries(check, bearer, JSON_ANSWER), read.signal)
      if (unclear !== undefined) return answer.refused(unclear)
      this.#checked = bearer
    }
    return this.#withRetries(read, bearer, answer)
  }

  /**
   * Reads the features of the server and caches them. A server that is briefly unavailable may still have them, so this
   * then returns the last known features or throws.
   */
  async features(signal?: AbortSignal): Promise<ServerFeatures> {
    if (this.#features && this.#features.until > Date.now()) return this.#features.value
    const path = '/.well-known/oauth-protected-resource'
    const read = { path, query: [], tool: 'discovery', signal }
    const reply = await this.#withRetries(read, undefined, JSON_ANSWER).catch((error: Error) => error)
    if (reply instanceof Error || isAway(reply.status)) {
      if (this.#features) return this.#features.value
      throw reply instanceof Error
        ? reply
        : new PdppError('server_unreachable', `The server answered with status ${reply.status}.`)
    }
    const hasMetadata = reply.status === 200 && typeof reply.body === 'object'
    const value = readServerFeatures(hasMetadata ? reply.body : undefined)
    if (hasMetadata) this.#features = { value, until: Date.now() + FEATURES_MS }
    return value
  }

  async #withRetries<Given extends Reply>(
    read: Read,
    bearer: string | undefined,
    answer: Answer<Given>,
  ): Promise<Given> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#once(read, bearer, answer).catch((error: unknown) =>
        this.#unreachable(error, read.signal),
      )
      const again = attempt < ATTEMPTS && (answer.write === undefined || isUntouched(outcome))
      const pause = again ? pauseBefore(outcome, attempt) : undefined
      if (pause === undefined) {
        if (outcome instanceof Error) throw outcome
        return outcome
      }
      await wait(pause, undefined, { signal: read.signal, ref: false })
    }
  }

  async #once<Given extends Reply>(
    read: Read,
    bearer: string | undefined,
    { headers, take, write }: Answer<Given>,
  ): Promise<Given> {
    const query = new URLSearchParams(read.query.map(([name, value]): [string, string] => [name, value])).toString()
    const { signal, release } = deadline(read.signal, this.#timeoutMs)
    try {
      const response = await httpFetch(`${this.providerUrl}${read.path}${query === '' ? '' : `?${query}`}`, {
        headers: {
          ...headers,
          'user-agent': '@pdpp/mcp-server',
          ...(read.prefer === undefined ? {} : { prefer: read.prefer }),
          ...(this.#surface === undefined ? {} : { 'pdpp-surface': this.#surface }),
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        },
        ...write,
        signal,
      })
      const reply = await take(response)
      refuseOwner(response.headers, reply.body)
      return reply
    } finally {
      release()
    }
  }

  #unreachable(error: unknown, signal: AbortSignal | undefined): Error {
    if (signal?.aborted) return new Error('The call was cancelled.')
    if (error instanceof PdppError) return error
    if (!(error instanceof Error) || error.name !== 'TimeoutError')
      return new PdppError('server_unreachable', 'The server cannot be reached.')
    return new PdppError('request_timeout', `The server did not answer within ${this.#timeoutMs / 1000} seconds.`)
  }
}

/** How to request an answer and parse it. */
interface Answer<Given extends Reply> {
  readonly headers: Readonly<Record<string, string>>
  readonly take: (response: Response) => Promise<Given>
  /** Makes the result if the token check failed and the read was not sent. */
  readonly refused: (reply: Reply) => Given
  /** Undefined for reads. */
  readonly write?: JsonWrite
}

export interface JsonWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly body?: string
}

const JSON_ANSWER: Answer<Reply> = {
  headers: { accept: 'application/json' },
  take: async (response) => ({ ...factsOf(response), body: jsonOf(await takeText(response)) }),
  refused: (reply) => reply,
}

async function bytesReply(response: Response, read: BytesRead): Promise<BytesReply> {
  const header = (name: string) => response.headers.get(name) ?? undefined
  if (!response.ok) return { ...(await JSON_ANSWER.take(response)), part: undefined, header }
  return { ...factsOf(response), body: undefined, part: await takePart(response, read), header }
}

function factsOf({ status, headers }: Response) {
  const header = (name: string) => headers.get(name) ?? undefined
  return { status, requestId: header('request-id') ?? header('x-request-id'), retryAfter: header('retry-after') }
}

/** Throws if an answer shows that the token is an owner token, so that the data goes no further (000.3). */
function refuseOwner(headers: Headers, body: unknown): void {
  const kinds = [headers.get('pdpp-token-kind'), objectOf(objectOf(body)['bearer'])['token_kind']]
  if (kinds.includes('owner')) throw ownerToken()
}

const errorCode = ({ body }: Reply): unknown => objectOf(objectOf(body)['error'])['code']

/**
 * A signal that aborts with the caller's signal or at the timeout. Call `release` after the answer, because a running
 * timer would keep the call in memory.
 */
function deadline(
  caller: AbortSignal | undefined,
  timeoutMs: number,
): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('No answer in time.', 'TimeoutError')), timeoutMs)
  timer.unref()
  const cancel = () => controller.abort(caller?.reason)
  if (caller?.aborted) cancel()
  caller?.addEventListener('abort', cancel, { once: true })
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', cancel)
    },
  }
}

function pauseBefore(outcome: Error | Reply, attempt: number): number | undefined {
  const backoff = 200 * 4 ** (attempt - 1)
  // Do not retry after a timeout; the host is still waiting.
  if (outcome instanceof Error)
    return outcome instanceof PdppError && outcome.code === 'server_unreachable' ? backoff : undefined
  const { status, retryAfter } = outcome
  if (!isAway(status)) return
  const seconds = Number(retryAfter)
  if (retryAfter === undefined || Number.isNaN(seconds)) return status === 429 ? undefined : backoff
  // The model decides about longer waits; the error names them.
  return seconds * 1000 <= MAX_WAIT_MS ? seconds * 1000 : undefined
}

/** After any other failure it is unknown whether the write was done, so it is not sent again. */
const isUntouched = (outcome: Error | Reply): boolean => !(outcome instanceof Error) && outcome.status === 429

/** True if the answer is not from the server itself, or if it asks to come back later. */
const isAway = (status: number): boolean => [429, 502, 503, 504].includes(status)

function jsonOf(text: string): unknown {
  try {
    return parseBody(text)
  } catch {
    return
  }
}
