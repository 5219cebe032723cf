import {
  CachedBearer,
  HttpSubscriptionServer,
  type JsonObject,
  objectOf,
  type Reply,
  type SubscriptionWrite,
  warningsOf,
} from '@pdpp/mcp-server/client'
import type { PdppError } from '@pdpp/protocol'
import { UsageError } from '../terminal/failure.ts'
import { printNote, printWarning } from '../terminal/output.ts'
import { type Connected, type ConnectionOptions, connected } from './connected.ts'
import { refusal, unreachable } from './refusal.ts'

export type Pairs = [string, string][]

/** Reads `/v1` with the cached grant and refreshes its token if needed. Prints each warning once, to standard error. */
export class Reader {
  readonly connection: Connected
  readonly #server: HttpSubscriptionServer
  readonly #warned = new Set<string>()

  constructor(connection: Connected) {
    this.connection = connection
    const bearer = new CachedBearer(connection.cache, connection.grant, printNote)
    this.#server = new HttpSubscriptionServer(connection.providerUrl, bearer, { surface: 'cli' })
  }

  async get(path: string, query: Pairs, signal?: AbortSignal): Promise<JsonObject> {
    const body = await this.#bodyOf(this.#server.get({ path, query, tool: 'cli', signal }))
    this.#warn(body)
    return body
  }

  /** Changes a subscription of this client. Nothing else can be written with a grant. */
  send(method: SubscriptionWrite['method'], path: SubscriptionWrite['path'], body?: object): Promise<JsonObject> {
    return this.#bodyOf(this.#server.send({ method, path, body, tool: 'cli' }))
  }

  async #bodyOf(answer: Promise<Reply>): Promise<JsonObject> {
    const reply = await answer.catch((error: PdppError) => {
      throw error.code === 'server_unreachable' ? unreachable(this.connection.providerUrl) : error
    })
    if (reply.status < 200 || reply.status > 299) throw refusal(reply, this.connection.providerUrl)
    return objectOf(reply.body)
  }

  features() {
    return this.#server.features()
  }

  /** Refuses an optional parameter unless the server says that it supports it (point 23). */
  async require(
    flag: string,
    name: 'around' | 'searchSince' | 'searchUntil' | 'searchCount',
    used: unknown,
  ): Promise<void> {
    if (used !== undefined && !(await this.features())[name])
      throw new UsageError(
        `This server does not support ${flag}.`,
        'Leave it out. --where filters by a field of the stream.',
      )
  }

  /** A command for the user to copy. It names the provider and grant if it must. */
  command(...words: string[]): string[] {
    const { alone, providerUrl, flags } = this.connection
    const [verb, noun, ...rest] = words
    return ['pdpp', verb!, noun!, ...(alone ? [] : [providerUrl]), ...rest, ...flags]
  }

  #warn(body: JsonObject): void {
    for (const { code, message } of warningsOf(body)) {
      if (this.#warned.has(code + message)) continue
      this.#warned.add(code + message)
      printWarning(code, message)
    }
  }
}

export function openReader(named: string | undefined, options: ConnectionOptions): Reader {
  return new Reader(connected(named, options))
}
