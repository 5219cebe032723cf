import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { sendPage } from '../frame/send.ts'
import { addressScope } from './address-scope.ts'
import { connectPage } from './page.ts'

/** GET /connect */
export function showConnect(context: Context): Handler<HttpEnvironment> {
  return (c) => {
    const { origin } = c.get('requestOrigin')
    const { last } = context.selfTest
    const result = last?.origin === origin ? last : undefined
    return sendPage(c, connectPage({ pageSession: c.get('pageSession'), origin, reach: addressScope(origin), result }))
  }
}

/** POST /connect/test */
export function testConnection(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, 'self-test')
    await context.selfTest.run(c.get('requestOrigin').origin, c.get('authority').subjectId)
    return c.redirect('/connect#test', 303)
  }
}
