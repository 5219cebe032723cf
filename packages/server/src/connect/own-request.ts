const PATIENCE_MS = 10_000
const MOST_BYTES = 200_000

export interface OwnAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** One request to this server's own address, by the way that everybody else takes. Bounded in time and size; no redirects. */
export async function ownRequest(address: string, init: RequestInit = {}): Promise<OwnAnswer> {
  const answer = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return { status: answer.status, headers: answer.headers, body: objectIn(Buffer.concat(chunks).toString('utf8')) }
}

export const sent = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify(body),
})

/** What undici wraps: the name of the real trouble, such as ENOTFOUND or a certificate's. */
export function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? (name === 'TimeoutError' ? 'nothing within 10 s' : message)
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}
