import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { CONSENT_PATH } from '../../authorization/consent/paths.ts'
import type { Context } from '../../context.ts'
import { RateLimit } from '../../lib/limits/rate-limit.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { sendPage } from '../frame/send.ts'
import { devicePage } from './device-page.ts'

/** GET /device */
export const showDevice: Handler<HttpEnvironment> = (c) => {
  const userCode = (c.req.query('user_code') ?? '').slice(0, 20)
  return sendPage(c, devicePage(c.get('pageSession'), { userCode, failed: false }))
}

/** POST /device */
export function enterDevice(context: Context): Handler<HttpEnvironment> {
  const failures = new RateLimit({ count: 10, windowMs: 600_000 })
  const locked = new RateLimit({ count: 30, windowMs: 600_000 })
  return async (c) => {
    const form = await readVerifiedForm(c, 'device')
    const { subjectId } = c.get('authority')
    const wait = locked.take(subjectId)
    if (wait !== undefined) throw tooMany(wait)
    const userCode = (form.get('user_code') ?? '').slice(0, 20)
    const uid = await context.authorization.devices.open(userCode)
    if (uid !== undefined) return c.redirect(`${CONSENT_PATH}/${uid}`, 303)
    const seconds = failures.take(subjectId)
    if (seconds !== undefined) throw tooMany(seconds)
    return sendPage(c, devicePage(c.get('pageSession'), { userCode, failed: true }), { status: 404 })
  }
}

function tooMany(seconds: number): PdppError {
  return new PdppError('rate_limit_exceeded', 'You tried too many codes.', { retryAfterSeconds: seconds })
}
