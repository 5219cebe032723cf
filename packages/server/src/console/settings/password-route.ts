import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { Http, HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { sendPage } from '../frame/send.ts'
import { startSession } from '../sign-in/route.ts'
import { passwordPage } from './password-page.ts'

type Failure = { message: string; nextStep?: string }

/** GET /owner/password */
export function showPassword(context: Context): Handler<HttpEnvironment> {
  return (c) => answer(context, c)
}

/** POST /owner/password */
export function changePassword(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const form = await readVerifiedForm(c, 'password')
    const { subjectId } = c.get('authority')
    const password = form.get('password') ?? ''
    if (password !== form.get('again'))
      return answer(context, c, { message: 'The two new passwords are not the same.' })
    const known = await context.signIn.hasPassword(subjectId)
    if (
      known &&
      !(await context.signIn.isPassword(subjectId, form.get('current') ?? '', c.get('requestOrigin').address))
    )
      return answer(context, c, { message: 'That is not the current password.' })
    try {
      await context.signIn.setPassword(subjectId, password)
    } catch (error) {
      if (!(error instanceof PdppError) || error.code !== 'invalid_argument') throw error
      return answer(context, c, { message: error.message, nextStep: error.nextStepOn('console') })
    }
    await startSession(context, c, subjectId, 'password')
    return c.redirect('/owner/sessions?done=password', 303)
  }
}

async function answer(context: Context, c: Http, failure?: Failure): Promise<Response> {
  const hasPassword = await context.signIn.hasPassword(c.get('authority').subjectId)
  const page = { pageSession: c.get('pageSession'), hasPassword, managed: context.signIn.managed }
  return failure ? sendPage(c, passwordPage({ ...page, failure }), { status: 400 }) : sendPage(c, passwordPage(page))
}
