import type { Reply, SubscriptionServer, SubscriptionWrite } from '@pdpp/mcp-server'
import { InProcessResourceServer } from './in-process-resource-server.ts'

/** The same routes for the developer entrypoint, which may also change the subscriptions of its caller (point 44). */
export class InProcessSubscriptionServer extends InProcessResourceServer implements SubscriptionServer {
  async send({ method, path, body, tool, signal }: SubscriptionWrite): Promise<Reply> {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return this.reply(
      await this.fetch({ path, query: [], tool, signal }, { method, ...(body === undefined ? {} : json) }),
    )
  }
}
