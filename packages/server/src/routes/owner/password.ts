import type { Handler } from 'hono'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../environment.ts'
import { parsedBody } from './body.ts'

const passwordSchema = z.strictObject({ password: z.string() })

/** PUT /v1/owner/password: whoever holds the owner's token may set it anew; every session ends. */
export function writePassword(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { password } = await parsedBody(c, passwordSchema)
    await context.signIn.setPassword(c.get('authority').subjectId, password)
    return c.body(null, 204)
  }
}
