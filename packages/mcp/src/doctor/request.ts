import { objectOf } from '../resource-server/envelope.ts'
import { type HttpRequest, httpFetch } from '../resource-server/http-fetch.ts'

const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 1_048_576

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
  readonly text: string
}

/** Sends a request with a limit on time and size. Does not follow redirects. */
export async function request(url: string, init: HttpRequest = {}): Promise<Answer> {
  const response = await httpFetch(url, {
    ...init,
    headers: { accept: 'application/json', 'user-agent': 'pdpp', ...init.headers },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await bounded(response)
  return { status: response.status, headers: response.headers, text, body: jsonOf(text) }
}

export function form(values: Record<string, string | readonly string[] | undefined>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
    ),
  )
}

export function jsonBody(value: unknown): HttpRequest {
  return { method: 'POST', body: JSON.stringify(value), headers: { 'content-type': 'application/json' } }
}

/** The code of an OAuth error (RFC 6749 section 5.2) or of our own envelope. */
export function errorOf({ body }: Pick<Answer, 'body'>): { code: string | undefined; message: string | undefined } {
  const { error, error_description: description } = body
  if (typeof error === 'string')
    return { code: error, message: typeof description === 'string' ? description : undefined }
  const { code, message } = objectOf(error)
  return {
    code: typeof code === 'string' ? code : undefined,
    message: typeof message === 'string' ? message : undefined,
  }
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) throw new Error('The answer is larger than 1 MB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return {}
  }
}
