import type { TestServer } from '../../../../tests/fixtures/server.ts'
import type { Request } from './requests.ts'

/** One request with everything that it returned, ready to be compared byte by byte. */
export interface Seen {
  readonly request: string
  readonly status: number
  readonly headers: string
  readonly body: string
}

/** Max. pages that are followed, because cursors must lead to the same pages. */
const MAX_PAGES = 3

/** These headers differ between any two answers. */
const OWN_HEADERS = new Set(['date', 'request-id', 'x-request-id', 'pdpp-request-id'])
const SEALED = /(?:cursor|changes_since)["=:]+([\w-]{30,})/g

export async function see(test: TestServer, token: string, request: Request): Promise<Seen[]> {
  return request.tool === undefined ? walk(test, token, request.path) : [await callTool(test, token, request)]
}

async function walk(test: TestServer, token: string, path: string, page = 1): Promise<Seen[]> {
  const { status, headers, text, body } = await test.as(token)('GET', path)
  const here = seen(page === 1 ? path : `${path.replace(/cursor=[^&]+/, 'cursor=…')} (page ${page})`, {
    status,
    headers,
    text,
  })
  const cursor = body?.next_cursor
  if (typeof cursor !== 'string' || page === MAX_PAGES) return [here]
  const url = new URL(path, test.server.url)
  url.searchParams.set('cursor', cursor)
  url.searchParams.delete('changes_since')
  return [here, ...(await walk(test, token, url.pathname + url.search, page + 1))]
}

async function callTool(test: TestServer, token: string, { tool, args }: Request): Promise<Seen> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }
  const { status, headers, text } = await test.as(token)('POST', '/mcp', message, {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  })
  return seen(`${tool} ${JSON.stringify(args)}`, { status, headers, text })
}

/** Replaces request ids. Replaces a sealed value by its length; the page that it leads to is compared instead. */
function seen(request: string, { status, headers, text }: { status: number; headers: Headers; text: string }): Seen {
  const told = [...headers].filter(([name]) => !OWN_HEADERS.has(name)).map(([name, value]) => `${name}: ${value}`)
  let body = text.replaceAll(/req_[\w-]+/g, (id) => `<request ${id.length}>`)
  const sealed = new Set([...body.replaceAll('\\"', '"').matchAll(SEALED)].map((match) => match[1]!))
  for (const value of sealed) body = body.replaceAll(value, `<sealed ${value.length}>`)
  return { request, status, headers: told.sort().join('\n'), body }
}

/** The place where two answers differ, short enough to read. */
export function difference(before: Seen, after: Seen): string | undefined {
  const [first, second] = [before, after].map(({ status, headers, body }) => `${status}\n${headers}\n\n${body}`)
  if (first === second) return
  const at = [...first!].findIndex((char, index) => char !== second![index])
  const around = (text: string) => text.slice(Math.max(0, at - 120), at + 120)
  return `${after.request}\n  before: …${around(first!)}\n  after:  …${around(second!)}`
}
