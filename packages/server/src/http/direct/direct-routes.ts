import type { IncomingMessage, ServerResponse } from 'node:http'
import { drainUnreadBody } from '../guards/unread-bodies.ts'
import { type DirectAnswer, DirectContext, type DirectRequestParts } from './direct-context.ts'

type Next = () => Promise<void>
/** Written for Hono's context. A direct context has all members that they use. */
type Step = (c: never, next: never) => unknown

interface Route {
  readonly method: string
  readonly segments: readonly string[]
  readonly steps: readonly Step[]
}

interface Match {
  readonly path: string
  readonly steps: readonly Step[]
  readonly params: Readonly<Record<string, string>>
}

const DONE = Promise.resolve()

/** Paths that a URL parser would change before matching. */
const UNUSUAL = /\/[/.]|\\|#/

/** The few routes that serve most requests, with the same guards and handlers as in Hono. */
export class DirectRoutes {
  readonly #routes: Route[] = []
  readonly #first: readonly Step[]
  readonly #onError: (error: Error, c: never) => unknown

  /** `first` are the steps before every route. */
  constructor(first: readonly Step[], onError: (error: Error, c: never) => unknown) {
    this.#first = first
    this.#onError = onError
  }

  add(method: 'GET' | 'POST', path: string, ...steps: readonly Step[]): void {
    this.#routes.push({ method, segments: path.split('/'), steps: [...this.#first, ...steps] })
  }

  /** Answers the request, or returns false if it is for another route. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { method } = incoming
    if (method !== 'GET' && method !== 'POST') return false
    const target = incoming.url ?? ''
    const match = this.#match(method, target)
    if (!match) return false
    const request = { target, headers: incoming.headers, env: { incoming, outgoing } }
    const parts: DirectRequestParts = method === 'GET' ? request : { ...request, method }
    void this.#send(new DirectContext(parts, match.path, match.params), match, incoming, outgoing)
    return true
  }

  /** Answers a request from this process. Undefined if it is for another route. */
  async answer(parts: DirectRequestParts): Promise<DirectContext | undefined> {
    const match = this.#match('GET', parts.target)
    if (!match) return
    const c = new DirectContext(parts, match.path, match.params)
    await this.#run(c, match.steps)
    return c
  }

  async #send(c: DirectContext, { steps }: Match, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      await this.#run(c, steps)
      const { status, body, hasNoBody } = c.answer!
      if (status >= 400) await drainUnreadBody(incoming, status)
      if (outgoing.destroyed) return
      if (hasNoBody) {
        outgoing.writeHead(status, c.headers).end()
        return
      }
      const bytes = c.bytesOf(body)
      c.headers['content-length'] = String(bytes)
      // ASCII is the same in both encodings, and Node writes this one faster.
      outgoing.writeHead(status, c.headers).end(body, bytes === body.length ? 'latin1' : 'utf8')
    } catch {
      outgoing.destroy()
    }
  }

  #match(method: string, target: string): Match | undefined {
    const end = target.indexOf('?')
    const path = end === -1 ? target : target.slice(0, end)
    if (UNUSUAL.test(path)) return
    const segments = path.split('/')
    for (const route of this.#routes) {
      const params = route.method === method ? paramsOf(route.segments, segments) : undefined
      if (params) return { path, steps: route.steps, params }
    }
    return
  }

  /**
   * Works like Hono: an error becomes an answer at the step that threw it, and the steps before it continue. Written
   * without `await`, because every request takes all steps.
   */
  #run(c: DirectContext, steps: readonly Step[]): Promise<void> {
    const answered = (answer: unknown): void => {
      if (answer !== undefined) c.answer = answer as DirectAnswer
    }
    const failed = async (error: unknown): Promise<void> => {
      if (!(error instanceof Error)) throw error
      c.error = error
      c.answer = (await this.#onError(error, c as never)) as DirectAnswer
    }
    const run = (at: number): Promise<void> => {
      try {
        const step = steps[at] as unknown as (c: DirectContext, next: Next) => unknown
        const answer = step(c, () => run(at + 1))
        if (answer instanceof Promise) return answer.then(answered, failed)
        answered(answer)
        return DONE
      } catch (error) {
        return failed(error)
      }
    }
    return run(0)
  }
}

function paramsOf(route: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (route.length !== path.length) return
  const params: Record<string, string> = {}
  for (let at = 0; at < route.length; at++) {
    const [pattern, value] = [route[at]!, path[at]!]
    if (!pattern.startsWith(':')) {
      if (pattern !== value) return
    } else if (value === '') return
    else params[pattern.slice(1)] = decoded(value)
  }
  return params
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
