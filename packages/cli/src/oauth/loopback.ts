import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tooLate } from './token-answer.ts'

export interface Callback {
  readonly redirectUri: string
  readonly answer: Promise<URLSearchParams>
  close(): void
}

const PAGE = (text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>PDPP</title><body style="font:1.1rem system-ui;margin:4rem auto;max-width:30rem"><p>${text}</p></body></html>`

/** Listens on a local port for the redirect that carries the answer. */
export async function awaitCallback(timeoutMs: number): Promise<Callback> {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>()
  // A timeout may come before anyone awaits the promise, so it must not count as unhandled.
  promise.catch(() => {})
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isAnswer = request.method === 'GET' && url.pathname === '/callback' && hasAnswer(url.searchParams)
    response.writeHead(isAnswer ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    if (!isAnswer) return response.end(PAGE('There is nothing here.'))
    const approved = url.searchParams.has('code')
    response.end(
      PAGE(
        approved
          ? 'Done. You can close this page and return to the terminal.'
          : 'No access was given. You can close this page.',
      ),
    )
    resolve(url.searchParams)
  })
  server.maxHeadersCount = 100
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done))
  const timer = setTimeout(() => reject(tooLate()), timeoutMs)
  const { port } = server.address() as AddressInfo
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    answer: promise,
    close: () => {
      clearTimeout(timer)
      server.close()
      server.closeIdleConnections()
    },
  }
}

const hasAnswer = (query: URLSearchParams): boolean => query.has('state') && (query.has('code') || query.has('error'))
