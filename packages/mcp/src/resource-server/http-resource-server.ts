import { setTimeout as wait } from 'node:timers/promises'
import { PdppError, parseJson } from '@pdpp/protocol/reading'
import { type Advertised, readAdvertised } from './advertised.ts'
import { objectOf } from './envelope.ts'
import type { Read, Reply, ResourceServer } from './resource-server.ts'

/** Where bearers come from. A refused one is reported, and may be replaced once. */
export interface BearerSource {
  current(): Promise<string>
  /** Another token than the refused one, or undefined where there is none to be had. */
  replace(refused: string): Promise<string | undefined>
}

const TIMEOUT_MS = 30_000
const ATTEMPTS = 3
const LONGEST_WAIT_MS = 10_000
const ANSWER_BYTES = 8 * 1_048_576
const ADVERTISED_MS = 600_000

/** `/v1` over the network. Every call is a read, so that repeating one is safe; nothing is retried with other rights. */
export class HttpResourceServer implements ResourceServer {
  readonly providerUrl: string
  readonly #bearers: BearerSource
  #advertised: { value: Advertised; until: number } | undefined

  readonly #surface: string | undefined
  readonly #timeoutMs: number

  /** `surface` is what receipts call this reader: a label, which gives no rights. */
  constructor(
    providerUrl: string,
    bearers: BearerSource,
    { surface, timeoutMs = TIMEOUT_MS }: { surface?: 'stdio' | 'cli'; timeoutMs?: number } = {},
  ) {
    this.providerUrl = providerUrl.replace(/\/+$/, '')
    this.#bearers = bearers
    this.#surface = surface
    this.#timeoutMs = timeoutMs
  }

  async get(read: Read): Promise<Reply> {
    const bearer = await this.#bearers.current()
    const reply = await this.#patiently(read, bearer)
    if (reply.status !== 401 || isAboutScope(reply)) return reply
    const other = await this.#bearers.replace(bearer)
    return other === undefined ? reply : this.#patiently(read, other)
  }

  /** Asked once in a while; a server that cannot be asked is taken to know nothing special. */
  async advertised(signal?: AbortSignal): Promise<Advertised> {
    if (this.#advertised && this.#advertised.until > Date.now()) return this.#advertised.value
    const path = '/.well-known/oauth-protected-resource'
    const reply = await this.#patiently({ path, query: [], tool: 'discovery', signal }, undefined).catch(
      () => undefined,
    )
    const value = readAdvertised(reply?.status === 200 ? reply.body : undefined)
    if (reply?.status === 200) this.#advertised = { value, until: Date.now() + ADVERTISED_MS }
    return value
  }

  async #patiently(read: Read, bearer: string | undefined): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#once(read, bearer).catch((error: unknown) => this.#unreachable(error, read.signal))
      const pause = attempt < ATTEMPTS ? pauseBefore(outcome, attempt) : undefined
      if (pause === undefined) {
        if (outcome instanceof Error) throw outcome
        return outcome
      }
      await wait(pause, undefined, { signal: read.signal, ref: false })
    }
  }

  async #once(read: Read, bearer: string | undefined): Promise<Reply & { retryAfter: string | null }> {
    const query = new URLSearchParams(read.query.map(([name, value]): [string, string] => [name, value])).toString()
    const { signal, release } = deadline(read.signal, this.#timeoutMs)
    try {
      const response = await fetch(`${this.providerUrl}${read.path}${query === '' ? '' : `?${query}`}`, {
        headers: {
          accept: 'application/json',
          'user-agent': '@pdpp/mcp-server',
          ...(this.#surface === undefined ? {} : { 'pdpp-surface': this.#surface }),
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        },
        // A bearer must never follow a redirect to somebody else.
        redirect: 'error',
        signal,
      })
      const body = jsonOf(await boundedText(response))
      refuseOwner(response.headers, body)
      return {
        status: response.status,
        body,
        requestId: response.headers.get('request-id') ?? response.headers.get('x-request-id') ?? undefined,
        retryAfter: response.headers.get('retry-after'),
      }
    } finally {
      release()
    }
  }

  #unreachable(error: unknown, signal: AbortSignal | undefined): Error {
    if (signal?.aborted) return new Error('The call was cancelled.')
    if (error instanceof PdppError) return error
    if (!(error instanceof Error) || error.name !== 'TimeoutError')
      return new PdppError('server_unreachable', 'The server cannot be reached.')
    return new PdppError('request_timeout', `The server gave no answer within ${this.#timeoutMs / 1000} seconds.`)
  }
}

/** An owner's token that nothing marks as one: only the answer tells, and it goes no further (000.3). */
function refuseOwner(headers: Headers, body: unknown): void {
  const kinds = [headers.get('pdpp-token-kind'), objectOf(objectOf(body)['bearer'])['token_kind']]
  if (!kinds.includes('owner')) return
  throw new PdppError('permission_error', 'The cached token is an owner token, and agents read through a grant.', {
    nextStep: 'Have the owner remove it and connect this client with pdpp connect.',
  })
}

/** Some servers answer 401 where a grant does not reach: another token of the same grant would not reach further. */
function isAboutScope({ body }: Reply): boolean {
  return String(objectOf(objectOf(body)['error'])['code'] ?? '').startsWith('context.')
}

/**
 * Ends with the caller's signal or when time is up, and lets go of both when the answer is there: a timeout that
 * runs on after its call keeps the call in memory.
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

function pauseBefore(outcome: Error | (Reply & { retryAfter: string | null }), attempt: number): number | undefined {
  const backoff = 200 * 4 ** (attempt - 1)
  // Whoever gave no answer in all that time is not asked again: the host waits for this call.
  if (outcome instanceof Error)
    return outcome instanceof PdppError && outcome.code === 'server_unreachable' ? backoff : undefined
  if (![429, 502, 503, 504].includes(outcome.status)) return
  const seconds = Number(outcome.retryAfter)
  if (outcome.retryAfter === null || Number.isNaN(seconds)) return outcome.status === 429 ? undefined : backoff
  // A longer wait is for the model to decide: the error tells it.
  return seconds * 1000 <= LONGEST_WAIT_MS ? seconds * 1000 : undefined
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > ANSWER_BYTES) throw new PdppError('resource_limit', 'The server answered with more than 8 MB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return
  }
}
