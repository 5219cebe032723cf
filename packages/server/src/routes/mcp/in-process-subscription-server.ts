import type { Read, Reply, SubscriptionServer, SubscriptionWrite } from '@pdpp/mcp-server'
import { type InProcessApp, InProcessResourceServer, type Reader } from './in-process-resource-server.ts'

/** Calls the same routes for the developer entrypoint, which may also change its caller's subscriptions (point 44). */
export class InProcessSubscriptionServer extends InProcessResourceServer implements SubscriptionServer {
  async send({ method, path, body, tool, signal }: SubscriptionWrite): Promise<Reply> {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return this.reply(
      await this.request({ path, query: [], tool, signal }, { method, ...(body === undefined ? {} : json) }),
    )
  }
}

/**
 * For answers that stay open. It checks the token again with each request, so that a revocation is noticed. A read may
 * wait for long, so its answer is returned only if the token is still valid afterwards.
 */
export class RecheckedSubscriptionServer extends InProcessSubscriptionServer {
  readonly #app: InProcessApp
  readonly #check: () => Promise<Reader>

  constructor(app: InProcessApp, reader: Reader, check: () => Promise<Reader>) {
    super(app, reader)
    this.#app = app
    this.#check = check
  }

  override async get(read: Read): Promise<Reply> {
    const reply = await (await this.#checked()).get(read)
    await this.#check()
    return reply
  }

  /** A listener removes its subscription at the end, even if the token was revoked meanwhile. */
  override async send(write: SubscriptionWrite): Promise<Reply> {
    return write.method === 'DELETE' ? super.send(write) : (await this.#checked()).send(write)
  }

  async #checked(): Promise<InProcessSubscriptionServer> {
    return new InProcessSubscriptionServer(this.#app, await this.#check())
  }
}
