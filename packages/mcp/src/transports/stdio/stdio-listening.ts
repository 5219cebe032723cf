import {
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server'
import type { ResourceSubscriptions } from '../../entrypoints/mcp-server.ts'
import { ChangeListener, type StreamChange } from '../../listening/change-listener.ts'
import { ListenError, listenedUris, requireAddresses } from '../../listening/listen-request.ts'
import { updatedParams } from '../../listening/updated-notification.ts'
import { objectOf } from '../../resource-server/envelope.ts'
import type { SubscriptionServer } from '../../resource-server/subscription-server.ts'

/** Max. listeners of one process, because each uses subscriptions of the grant. */
export const MAX_LISTENERS = 4

type Id = string | number

/**
 * Listeners of one stdio connection. In the 2026-07-28 revision the SDK answers `subscriptions/listen` itself, so the
 * transport is wrapped to see the message. In earlier revisions `resources/subscribe` opens a listener for one
 * resource.
 */
export class StdioListening {
  readonly #server: SubscriptionServer
  readonly #wire: Transport
  readonly #log: (line: string) => void
  readonly #open = new Map<Id | `resource ${string}`, Promise<ChangeListener>>()
  #stopped: Promise<void> | undefined

  constructor(server: SubscriptionServer, wire: Transport, log: (line: string) => void) {
    this.#server = server
    this.#wire = wire
    this.#log = log
  }

  /** The transport for the SDK. */
  transport(): Transport {
    const wire = this.#wire
    const outer: Transport = {
      start: async () => {
        wire.onmessage = (message, extra) => void this.#receive(message, () => outer.onmessage?.(message, extra), outer)
        wire.onerror = (error) => outer.onerror?.(error)
        wire.onclose = () => {
          void this.stop()
          outer.onclose?.()
        }
        await wire.start()
      },
      send: async (message, options) => {
        // The SDK refused the request after the listener was opened.
        const { id, error } = objectOf(message)
        if (error !== undefined && this.#open.has(id as Id)) void this.#stop(id as Id)
        await wire.send(message, options)
      },
      close: async () => {
        await this.stop()
        await wire.close()
      },
    }
    return outer
  }

  /** For a connection of the 2025 revisions. */
  subscriptions(sendUpdated: (params: ReturnType<typeof updatedParams>) => Promise<void>): ResourceSubscriptions {
    return {
      add: async (uri) => {
        const key = `resource ${uri}` as const
        if (this.#open.has(key)) return
        const onChange = (change: StreamChange) => void sendUpdated(updatedParams(change)).catch(() => {})
        const refused = await this.#listen(key, [uri], { onChange, onEnd: () => {} })
        if (refused) throw new ProtocolError(ProtocolErrorCode.InvalidParams, refused.message, refused.data)
      },
      remove: (uri) => this.#stop(`resource ${uri}`),
    }
  }

  /** Ends all listeners, and waits until their subscriptions are removed. */
  stop(): Promise<void> {
    this.#stopped ??= Promise.all([...this.#open.keys()].map((key) => this.#stop(key))).then(() => {})
    return this.#stopped
  }

  async #receive(message: JSONRPCMessage, forward: () => void, outer: Transport): Promise<void> {
    const { id, method, params } = objectOf(message)
    if (method === 'notifications/cancelled') void this.#stop(objectOf(params)['requestId'] as Id)
    const uris = listenedUris(message)
    if (uris === undefined || id === undefined) return forward()
    const refused = await this.#listen(id as Id, uris, {
      onChange: (change) => this.#sendUpdated(id as Id, change),
      onEnd: () => this.#sendEnd(id as Id, outer),
    })
    if (!refused) return forward()
    const error = { code: ProtocolErrorCode.InvalidParams, message: refused.message, data: refused.data }
    await this.#wire.send({ jsonrpc: '2.0', id: id as Id, error } as JSONRPCMessage)
  }

  /** Returns the reason if the listener was not opened. */
  async #listen(
    key: Id | `resource ${string}`,
    uris: readonly string[],
    { onChange, onEnd }: { onChange: (change: StreamChange) => void; onEnd: () => void },
  ): Promise<ListenError | undefined> {
    if (this.#stopped) return new ListenError('The connection is closing.')
    if (this.#open.has(key)) return new ListenError('A listener with this id is already open.')
    if (this.#open.size >= MAX_LISTENERS)
      return new ListenError(`At most ${MAX_LISTENERS} listeners are open at once. Close one first.`)
    try {
      const opening = ChangeListener.open({
        server: this.#server,
        addresses: requireAddresses(uris),
        onChange,
        onEnd: (reason) => {
          this.#open.delete(key)
          this.#log(`A listener has ended. ${reason}`)
          onEnd()
        },
      })
      this.#open.set(key, opening)
      await opening
      return
    } catch (error) {
      this.#open.delete(key)
      return error instanceof ListenError ? error : new ListenError((error as Error).message)
    }
  }

  async #stop(key: Id | `resource ${string}`): Promise<void> {
    const opening = this.#open.get(key)
    this.#open.delete(key)
    await (await opening?.catch(() => undefined))?.stop()
  }

  /** Adds the same stamp as the SDK, because each listener has its own events. */
  #sendUpdated(id: Id, change: StreamChange): void {
    const { uri, _meta } = updatedParams(change)
    const params = { uri, _meta: { ..._meta, [SUBSCRIPTION_ID_META_KEY]: id } }
    void this.#wire.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params }).catch(() => {})
  }

  /**
   * The result of the listen request marks its end. The SDK gets a cancellation, so that it forgets the request, too.
   */
  #sendEnd(id: Id, outer: Transport): void {
    const result = { resultType: 'complete', _meta: { [SUBSCRIPTION_ID_META_KEY]: id } }
    void this.#wire.send({ jsonrpc: '2.0', id, result }).catch(() => {})
    outer.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
  }
}
