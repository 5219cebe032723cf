import type { Read, Reply, SubscriptionServer, SubscriptionWrite } from '@pdpp/mcp-server'
import { type InProcessFetch, InProcessResourceServer, type Reader } from './in-process-resource-server.ts'

/** The same routes for the developer entrypoint, which may also change the subscriptions of its caller (point 44). */
export class InProcessSubscriptionServer extends InProcessResourceServer implements SubscriptionServer {
  async send({ method, path, body, tool, signal }: SubscriptionWrite): Promise<Reply> {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return this.reply(
      await this.fetch({ path, query: [], tool, signal }, { method, ...(body === undefined ? {} : json) }),
    )
  }
}

/** For answers that stay open: the token is checked again before each request, so that a revocation is noticed. */
export class RecheckedSubscriptionServer extends InProcessSubscriptionServer {
  readonly #fetchInProcess: InProcessFetch
  readonly #check: () => Promise<Reader>

  constructor(fetch: InProcessFetch, reader: Reader, check: () => Promise<Reader>) {
    super(fetch, reader)
    this.#fetchInProcess = fetch
    this.#check = check
  }

  override async get(read: Read): Promise<Reply> {
    return (await this.#checked()).get(read)
  }

  override async send(write: SubscriptionWrite): Promise<Reply> {
    return (await this.#checked()).send(write)
  }

  async #checked(): Promise<InProcessSubscriptionServer> {
    return new InProcessSubscriptionServer(this.#fetchInProcess, await this.#check())
  }
}
