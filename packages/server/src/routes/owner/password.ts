import type { Handler } from 'hono'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../environment.ts'
import { parsedBody } from './body.ts'

const passwordSchema = z.strictObject({ password: z.string() })

/** PUT /v1/owner/password: sets a new password with an owner token, without the old one. Ends every session. */
export function writePassword(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { password } = await parsedBody(c, passwordSchema)
    await context.signIn.setPassword(c.get('authority').subjectId, password)
    return c.body(null, 204)
  }
}
