import { setTimeout as wait } from 'node:timers/promises'
import { PdppError } from '@pdpp/protocol/reading'
import { Refusal, refusalOf } from '../calling/failure.ts'
import { objectOf, rowsOf, textOf } from '../resource-server/envelope.ts'
import type { Reply } from '../resource-server/resource-server.ts'
import { SUBSCRIPTIONS, type SubscriptionServer, subscriptionPath } from '../resource-server/subscription-server.ts'
import { ListenError } from './listen-request.ts'
import type { StreamAddress } from './stream-address.ts'

/** Shorter than the time that a request may take. */
const WAIT_SECONDS = 20
/** A listener without events ends after this many milliseconds. The host can open it again. */
const IDLE_MS = 3_600_000
/** A listener ends when the server was unreachable for this many milliseconds. */
const UNREACHABLE_MS = 600_000
const MAX_PAUSE_MS = 30_000
/**
 * The server removes a subscription that is not polled for this many seconds. Longer than any pause between our polls.
 */
const IDLE_SECONDS = 120
/** A process that exits waits at most this many milliseconds for its subscriptions to be removed. */
const REMOVE_MS = 3_000
/** The listener's name in receipts. */
const TOOL = 'listen'

export interface StreamChange {
  readonly uri: string
  /** The event without its envelope: stream, connection_id, changes_since, change_count, and gap if there is one. */
  readonly event: Readonly<Record<string, unknown>>
}

export interface ListenerOptions {
  readonly server: SubscriptionServer
  readonly addresses: readonly StreamAddress[]
  readonly onChange: (change: StreamChange) => void
  /**
   * Called once if the listener ends by itself: its grant ended, no event came for long, or the server is unreachable.
   */
  readonly onEnd: (reason: string) => void
  readonly idleMs?: number
}

/**
 * Listens to changes for a host that has no public address. It uses the host's token to poll one subscription for each
 * connection. The subscriptions live as long as the listener.
 */
export class ChangeListener {
  readonly #options: ListenerOptions
  readonly #controller = new AbortController()
  readonly #idleMs: number
  #subscriptions: string[] = []
  #idle: NodeJS.Timeout | undefined
  #stopped: Promise<void> | undefined

  private constructor(options: ListenerOptions) {
    this.#options = options
    this.#idleMs = options.idleMs ?? IDLE_MS
  }

  /** Throws a `ListenError` if the server refuses: a stream outside the grant, or too many subscriptions. */
  static async open(options: ListenerOptions): Promise<ChangeListener> {
    const listener = new ChangeListener(options)
    try {
      const byConnection = Map.groupBy(options.addresses, ({ connectionId }) => connectionId)
      for (const addresses of byConnection.values()) listener.#subscriptions.push(await listener.#subscribe(addresses))
    } catch (error) {
      await listener.stop()
      throw error instanceof Refusal ? new ListenError(textOfRefusal(error), { error: error.failure }) : error
    }
    listener.#heard()
    for (const id of listener.#subscriptions) void listener.#follow(id)
    return listener
  }

  /** Ends the listener and its subscriptions. */
  stop(): Promise<void> {
    this.#stopped ??= this.#remove()
    return this.#stopped
  }

  async #subscribe(addresses: readonly StreamAddress[]): Promise<string> {
    const filters = {
      connection_ids: [addresses[0]!.connectionId],
      streams: addresses.map(({ stream }) => stream),
    }
    const { server } = this.#options
    const { eventIdleSeconds } = await server.features()
    const idle = eventIdleSeconds ? { idle_seconds: IDLE_SECONDS } : {}
    const reply = await server.send({
      method: 'POST',
      path: SUBSCRIPTIONS,
      body: { delivery: 'poll', filters, ...idle },
      tool: TOOL,
    })
    const id = textOf(objectOf(reply.body)['subscription_id'])
    if (reply.status >= 300 || id === undefined) throw refusalOf(reply, TOOL)
    return id
  }

  async #follow(id: string): Promise<void> {
    const { signal } = this.#controller
    let after: string | undefined
    let failingSince: number | undefined
    for (let failures = 0; !signal.aborted; ) {
      const reply = await this.#poll(id, after).catch((error: unknown) => error as Error)
      if (signal.aborted) return
      if (!(reply instanceof Error) && reply.status === 200) {
        failures = 0
        failingSince = undefined
        after = textOf(objectOf(reply.body)['next_cursor']) ?? after
        for (const event of rowsOf(objectOf(reply.body))) this.#tell(event)
        continue
      }
      if (!isTemporary(reply))
        return this.#end(reply instanceof Error ? reply.message : textOfRefusal(refusalOf(reply, TOOL)))
      failingSince ??= Date.now()
      if (Date.now() - failingSince > UNREACHABLE_MS) return this.#end('The server cannot be reached.')
      await wait(pauseAfter(reply, failures++), undefined, { signal, ref: false }).catch(() => {})
    }
  }

  #poll(id: string, after: string | undefined): Promise<Reply> {
    const query: [string, string][] = [['wait', String(WAIT_SECONDS)]]
    if (after !== undefined) query.push(['after', after])
    const { signal } = this.#controller
    return this.#options.server.get({ path: `${subscriptionPath(id)}/events`, query, tool: TOOL, signal })
  }

  #tell(event: Readonly<Record<string, unknown>>): void {
    if (event['type'] !== 'pdpp.records.changed') return
    const { subscription_id: _own, ...data } = objectOf(event['data'])
    const found = this.#options.addresses.find(
      ({ stream, connectionId }) => stream === data['stream'] && connectionId === data['connection_id'],
    )
    if (found === undefined) return
    this.#heard()
    this.#options.onChange({ uri: found.uri, event: { id: event['id'], time: event['time'], ...data } })
  }

  #heard(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#end('Nothing has changed for long.'), this.#idleMs).unref()
  }

  #end(reason: string): void {
    if (this.#controller.signal.aborted) return
    void this.stop()
    this.#options.onEnd(reason)
  }

  async #remove(): Promise<void> {
    clearTimeout(this.#idle)
    this.#controller.abort()
    const { server } = this.#options
    // If a subscription cannot be removed, because its grant ended, the server ends it.
    const signal = AbortSignal.timeout(REMOVE_MS)
    const removals = this.#subscriptions.map((id) =>
      server.send({ method: 'DELETE', path: subscriptionPath(id), tool: TOOL, signal }).catch(() => undefined),
    )
    await Promise.all(removals)
  }
}

/** False for a revoked token or an ended grant, because waiting does not help. */
function isTemporary(reply: Reply | Error): boolean {
  if (reply instanceof Error && !(reply instanceof PdppError)) return true
  return reply.status === 408 || reply.status === 429 || reply.status >= 500
}

function pauseAfter(reply: Reply | Error, failures: number): number {
  const seconds = reply instanceof Error ? Number.NaN : Number(reply.retryAfter ?? Number.NaN)
  return Number.isNaN(seconds) ? Math.min(MAX_PAUSE_MS, 500 * 2 ** Math.min(failures, 10)) : seconds * 1000
}

const textOfRefusal = ({ failure }: Refusal): string => `${failure.code}: ${failure.message} ${failure.next_step}`
