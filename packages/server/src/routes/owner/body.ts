import { PdppError, REQUEST_BODY_BYTES } from '@pdpp/protocol'
import type { Context as HonoContext } from 'hono'
import type { z } from 'zod'
import { bodyText } from '../../http/body.ts'
import type { HttpEnvironment } from '../../http/environment.ts'

/** A JSON body of bounded size. */
export async function jsonBody(c: HonoContext<HttpEnvironment>, maxBytes = REQUEST_BODY_BYTES): Promise<unknown> {
  const text = await bodyText(c, maxBytes)
  try {
    return JSON.parse(text)
  } catch {
    throw new PdppError('invalid_request', 'The body must be JSON.', { param: 'body' })
  }
}

export async function parsedBody<T extends z.ZodType>(
  c: HonoContext<HttpEnvironment>,
  schema: T,
  maxBytes?: number,
): Promise<z.infer<T>> {
  const parsed = schema.safeParse(await jsonBody(c, maxBytes))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const where = issue.path.join('.') || 'body'
  throw new PdppError('invalid_request', `${where}: ${issue.message}`, { param: where })
}
