import { isDeeper, PdppError, REQUEST_BODY_BYTES } from '@pdpp/protocol'
import type { z } from 'zod'
import { bodyText } from '../../http/request/body.ts'
import type { Http } from '../environment.ts'

/** Max. nesting of a JSON body, so that recursive code does not overflow the stack. No real declaration is as deep. */
const MAX_BODY_DEPTH = 200

/** A JSON body of bounded size and depth. */
export async function jsonBody(c: Http, maxBytes = REQUEST_BODY_BYTES): Promise<unknown> {
  const text = await bodyText(c, maxBytes)
  if (isDeeper(text, MAX_BODY_DEPTH))
    throw new PdppError('invalid_request', `The body is nested deeper than ${MAX_BODY_DEPTH} levels.`, {
      param: 'body',
    })
  try {
    return JSON.parse(text)
  } catch {
    throw new PdppError('invalid_request', 'The body must be JSON.', { param: 'body' })
  }
}

export async function parsedBody<T extends z.ZodType>(c: Http, schema: T, maxBytes?: number): Promise<z.infer<T>> {
  const parsed = schema.safeParse(await jsonBody(c, maxBytes))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const where = issue.path.join('.') || 'body'
  throw new PdppError('invalid_request', `${where}: ${issue.message}`, { param: where })
}
