import type { Handler } from 'hono'
import { type Context, OWNER } from '../../context.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'

/** Set once the owner has chosen how to start. */
const STARTED = 'first_run_done'

/** True on a server without data whose owner has not chosen how to start. */
export async function isFirstRun(context: Context): Promise<boolean> {
  return (await context.storage.setting(OWNER, STARTED)) === undefined && (await context.demo.isEmpty())
}

/** POST /first-run/demo */
export function chooseDemo(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, 'first-run-demo')
    await context.demo.load()
    return c.redirect('/', 303)
  }
}

/** POST /first-run/own */
export function chooseOwn(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, 'first-run-own')
    await context.storage.saveSetting(OWNER, STARTED, 'own')
    return c.redirect('/import', 303)
  }
}

/** POST /demo/remove */
export function removeDemo(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, 'remove-demo')
    await context.demo.remove()
    await context.storage.saveSetting(OWNER, STARTED, 'own')
    return c.redirect('/?done=demo_removed', 303)
  }
}
