import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { ChangeListener } from '../../listening/change-listener.ts'
import { ListenError, listenedUris, requireAddresses } from '../../listening/listen-request.ts'
import { updatedParams } from '../../listening/updated-notification.ts'
import { objectOf } from '../../resource-server/envelope.ts'
import type { SubscriptionServer } from '../../resource-server/subscription-server.ts'
import {
  answerMessage,
  type HostedAnswer,
  type HostedCall,
  parsedMessage,
  plain,
  protocolError,
  sdkRequest,
  serverOf,
} from './hosted-mcp.ts'

/** An answer that stays open: server-sent events. */
export interface HostedStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly stream: ReadableStream<Uint8Array>
}

/** One of the listeners that a token, and the server, may have open. */
export interface ListenerPlace {
  /** Aborts when the server closes. */
  readonly signal: AbortSignal
  release(): void
}

export interface ListeningCall extends HostedCall<SubscriptionServer> {
  /** Reads while the listener is open. It checks the token again with every request. */
  readonly listening: SubscriptionServer
  /** Undefined if the token has too many listeners open. */
  readonly takePlace: () => ListenerPlace | undefined
}

/** Handles `POST /mcp/developer`: like `answerHosted`, plus `subscriptions/listen` as a stream. */
export async function answerListening(call: ListeningCall): Promise<HostedAnswer | HostedStream> {
  const parsed = parsedMessage(call.body)
  if ('refused' in parsed) return parsed.refused
  const { message } = parsed
  const uris = listenedUris(message)
  const request = uris && sdkRequest(call)
  if (!request || (await isLegacyRequest(request, message))) return answerMessage(call, message)
  const id = objectOf(message)['id']
  const place = call.takePlace()
  if (place === undefined) return protocolError(200, ProtocolErrorCode.InternalError, TOO_MANY, id)
  const bus = new InMemoryServerEventBus()
  const handler = createMcpHandler(() => serverOf(call, 'modern'), { legacy: 'reject', bus })
  const open = new OpenListener(handler, place)
  try {
    const response = await handler.fetch(request, { parsedBody: message })
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const answer = await plain(response)
      open.close()
      return answer
    }
    const listener = await ChangeListener.open({
      server: call.listening,
      addresses: requireAddresses(uris!),
      onChange: (change) => {
        bus.publish({ kind: 'resource_updated', uri: change.uri, params: updatedParams(change) })
        open.noteFrame()
      },
      onEnd: () => open.close(),
    })
    const { status, headers, body } = response
    return { status, headers: Object.fromEntries(headers), stream: open.stream(body, listener, call.signal()) }
  } catch (error) {
    open.close()
    if (!(error instanceof ListenError)) throw error
    return protocolError(200, ProtocolErrorCode.InvalidParams, error.message, id, error.data)
  }
}

const TOO_MANY = 'Too many listeners are open with this token. Close one, or name more streams in one listener.'

/** If a host leaves more events unread, its connection is closed. */
const MAX_UNREAD = 1_000

/** The host, the grant or the server may end a listener. In every case everything is closed exactly once. */
class OpenListener {
  readonly #handler: McpHttpHandler
  readonly #place: ListenerPlace
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  #listener: ChangeListener | undefined
  #unread = 0

  constructor(handler: McpHttpHandler, place: ListenerPlace) {
    this.#handler = handler
    this.#place = place
  }

  stream(body: ReadableStream<Uint8Array>, listener: ChangeListener, host: AbortSignal): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    this.#reader = reader
    this.#listener = listener
    host.addEventListener('abort', () => this.#end(), { once: true })
    this.#place.signal.addEventListener('abort', () => this.close(), { once: true })
    if (host.aborted) this.#end()
    else if (this.#place.signal.aborted) this.close()
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await reader.read()
        this.#unread = 0
        if (!done) return controller.enqueue(value)
        this.#end()
        controller.close()
      },
      cancel: () => this.#end(),
    })
  }

  noteFrame(): void {
    this.#unread++
    if (this.#unread > MAX_UNREAD) this.#end()
  }

  /** The SDK writes its last message, and then the stream ends. */
  close(): void {
    void this.#handler.close()
    this.#stopListener()
  }

  #end(): void {
    this.#reader?.cancel().catch(() => {})
    this.#stopListener()
  }

  #stopListener(): void {
    const stopped = this.#listener?.stop() ?? Promise.resolve()
    void stopped.finally(() => this.#place.release())
  }
}
