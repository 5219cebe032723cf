import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Idle timeout of a connection. Callers have shorter timeouts. */
const IDLE_MS = 300_000

export interface HttpRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Strings and forms are sent at once. An iterable is streamed, to bound memory. */
  readonly body?: string | URLSearchParams | AsyncIterable<Uint8Array>
  readonly signal?: AbortSignal
}

/**
 * `fetch` over `node:http`. Node 24's own `fetch` crashes the process, past every `catch`, if the server closes the
 * connection while its answer waits to be read (undici issue 5360). Redirects are never followed, because they could
 * send the token to another server.
 */
export async function httpFetch(url: string, init: HttpRequest = {}): Promise<Response> {
  const { signal } = init
  try {
    signal?.throwIfAborted()
    const answer = await sendUntilAnswered(url, init)
    const status = answer.statusCode!
    if (status >= 300 && status < 400 && answer.headers.location !== undefined) {
      answer.destroy()
      throw new Error('The answer leads elsewhere.')
    }
    return new Response(hasNoBody(status, init) ? discardBody(answer) : bodyOf(answer, signal), {
      status,
      headers: headersOf(answer),
    })
  } catch (error) {
    throw signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause: error })
  }
}

/** Repeats a read if its reused connection was already closed by the server. */
async function sendUntilAnswered(url: string, init: HttpRequest): Promise<IncomingMessage> {
  for (;;) {
    const sent = send(url, init)
    try {
      return await sent.answer
    } catch (error) {
      const isRead = init.method === undefined || init.method === 'GET' || init.method === 'HEAD'
      if (!isRead || !sent.request.reusedSocket || init.signal?.aborted) throw error
    }
  }
}

function send(url: string, { method = 'GET', headers, body, signal }: HttpRequest) {
  const open = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
  const request = open(url, {
    method,
    headers: { 'accept-encoding': 'identity', ...formHeader(body), ...lengthHeader(body), ...headers },
    ...(signal === undefined ? {} : { signal }),
  })
  request.setTimeout(IDLE_MS, () => request.destroy(new Error('Nothing came for five minutes.')))
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', (message) => {
      // The reader of the body gets this error. Without a reader it must not count as unhandled.
      message.on('error', () => {})
      resolve(message)
    })
    // Keep this listener, because sending the body can still fail after the answer arrived.
    request.on('error', reject)
    request.once('close', () => reject(new Error('The connection was closed without an answer.')))
  })
  sendBody(request, body)
  return { request, answer }
}

function sendBody(request: ClientRequest, body: HttpRequest['body']): void {
  if (body === undefined) request.end()
  else if (typeof body === 'string' || body instanceof URLSearchParams) request.end(String(body))
  // An error here destroys the request, which reports it.
  else pipeline(Readable.from(body, { objectMode: false }), request).catch(() => {})
}

function bodyOf(message: IncomingMessage, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const chunks = (message as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next()
          if (!done) return controller.enqueue(value)
          if (!message.complete) throw new Error('The answer was cut off.')
          controller.close()
        } catch (error) {
          controller.error(signal?.aborted ? signal.reason : new TypeError('terminated', { cause: error }))
        }
      },
      cancel: () => void message.destroy(),
    },
    { highWaterMark: 0 },
  )
}

const hasNoBody = (status: number, { method }: HttpRequest): boolean =>
  method === 'HEAD' || status === 204 || status === 205 || status === 304

function discardBody(message: IncomingMessage): null {
  message.resume()
  return null
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  return headers
}

const formHeader = (body: HttpRequest['body']): Record<string, string> =>
  body instanceof URLSearchParams ? { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } : {}

function lengthHeader(body: HttpRequest['body']): Record<string, string> {
  const whole = typeof body === 'string' || body instanceof URLSearchParams ? String(body) : undefined
  return whole === undefined ? {} : { 'content-length': String(Buffer.byteLength(whole)) }
}
