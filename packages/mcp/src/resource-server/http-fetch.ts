import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A connection on which nothing moves for so long is given up; callers have shorter limits of their own. */
const IDLE_MS = 300_000

export interface HttpRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text and forms are sent as they are; bytes that come piece by piece are never held as a whole. */
  readonly body?: string | URLSearchParams | AsyncIterable<Uint8Array>
  readonly signal?: AbortSignal
}

/**
 * `fetch` over `node:http`. The built-in one of Node 24 ends the whole process, past every `catch`, when the other side
 * closes while an answer waits to be read (undici issue 5360), and a server chooses when it closes. Redirects are never
 * followed: a bearer must not be led to somebody else.
 */
export async function httpFetch(url: string, init: HttpRequest = {}): Promise<Response> {
  const { signal } = init
  try {
    signal?.throwIfAborted()
    const answer = await answered(url, init)
    const status = answer.statusCode!
    if (status >= 300 && status < 400 && answer.headers.location !== undefined) {
      answer.destroy()
      throw new Error('The answer leads elsewhere.')
    }
    return new Response(hasNoBody(status, init) ? emptied(answer) : bodyOf(answer, signal), {
      status,
      headers: headersOf(answer),
    })
  } catch (error) {
    throw signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause: error })
  }
}

/** A connection that was kept open may have been closed just now: a read then is sent once more, on another. */
async function answered(url: string, init: HttpRequest): Promise<IncomingMessage> {
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
      // Who reads it hears of it; where nobody reads, nobody needs to.
      message.on('error', () => {})
      resolve(message)
    })
    // It stays: a body may still be on its way when the answer is there, and fail.
    request.on('error', reject)
    request.once('close', () => reject(new Error('The connection was closed without an answer.')))
  })
  feed(request, body)
  return { request, answer }
}

function feed(request: ClientRequest, body: HttpRequest['body']): void {
  if (body === undefined) request.end()
  else if (typeof body === 'string' || body instanceof URLSearchParams) request.end(String(body))
  // What goes wrong here ends the request, which reports it.
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

function emptied(message: IncomingMessage): null {
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
