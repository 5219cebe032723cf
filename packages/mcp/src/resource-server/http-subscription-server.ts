import { HttpResourceServer } from './http-resource-server.ts'
import type { Reply } from './resource-server.ts'
import type { SubscriptionServer, SubscriptionWrite } from './subscription-server.ts'

/** `/v1` over the network, for the developer entrypoint: reads, and changes to the caller's own subscriptions. */
export class HttpSubscriptionServer extends HttpResourceServer implements SubscriptionServer {
  send({ method, path, body, tool, signal }: SubscriptionWrite): Promise<Reply> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    return this.write({ path, query: [], tool, signal }, { method, ...text })
  }
}
