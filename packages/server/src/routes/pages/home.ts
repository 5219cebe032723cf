import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { readersOf } from '../../grants/authority.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { wantsPage } from '../../http/errors.ts'
import { ownerPage } from '../../http/visit.ts'
import { homePage } from '../../pages/home-page.ts'
import { sendPage } from '../../pages/send.ts'
import { discoveryIndex } from '../discovery.ts'

/** GET /: a page for browsers, the discovery index for everything else. */
export function start(context: Context): Handler<HttpEnvironment> {
  const page = ownerPage(context)
  return async (c) => {
    c.header('Vary', 'Accept')
    if (!wantsPage(c)) return c.json(discoveryIndex())
    await page(c, async () => {
      const authority = c.get('authority')
      const [sources, hasPassword] = await Promise.all([
        context.schema.read(readersOf(authority), {}),
        context.signIn.hasPassword(authority.subjectId),
      ])
      c.res = await sendPage(c, homePage({ visitor: c.get('visitor'), sources, hasPassword }))
    })
    return c.res
  }
}
