import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import { form, type Page, problem } from '../frame/layout.ts'
import { preferences } from '../frame/preferences.ts'

export interface SignInPage {
  readonly pageSession: PageSession
  readonly returnTo: string
  readonly failed?: boolean
  /** True if a form was sent after the session had ended. Nothing was changed. */
  readonly notDone?: boolean
}

/** The same page with or without a password, so that others cannot learn whether one is set. */
export function signInPage({ pageSession, returnTo, failed = false, notDone = false }: SignInPage): Page {
  const fields = html`<input type="hidden" name="return_to" value="${returnTo}">
<input type="text" name="username" value="owner" autocomplete="username" class="hidden-label" tabindex="-1" aria-hidden="true" readonly>
<label>Password
<input type="password" name="password" autocomplete="current-password" required maxlength="1024" autofocus aria-invalid="${String(failed)}">
</label>
<button class="button wide">Sign in</button>`
  const body = html`<section class="panel">
<header><h1>Sign in to your data</h1></header>
${failed ? problem('That is not the password.') : ''}
${notDone ? problem('You were signed out, so nothing was saved.', 'Sign in and send it again.') : ''}
${form(pageSession, { action: '/owner/sign-in', purpose: 'sign-in', stacked: true }, fields)}
</section>
<section class="stack small quiet">
<p>No password yet, or forgotten? On the computer that runs the server, type</p>
<pre>${preferences().command} owner login</pre>
<p>and open the link that it prints.</p>
</section>`
  return { title: 'Sign in', body, narrow: true, pageSession }
}

/** The page of a sign-in link. Only its button uses up the link, because some programs fetch links in advance. */
export function linkPage(pageSession: PageSession, path: string, works: boolean): Page {
  const body = works
    ? html`<section class="panel">
<header><h1>Sign in as the owner?</h1><p class="quiet">This link works once. Continue only if you asked for it yourself.</p></header>
${form(pageSession, { action: path, purpose: 'sign-in-link', stacked: true }, html`<button class="button wide" autofocus>Sign in</button>`)}
</section>`
    : html`<section class="panel">
<header><h1>This link was already used, or is too old</h1><p class="quiet">A link signs in once, within ten minutes.</p></header>
<p>Get a new one on the computer that runs the server:</p>
<pre>${preferences().command} owner login</pre>
<p><a href="/owner/sign-in">Sign in with a password instead</a></p>
</section>`
  return { title: 'Sign in', body, narrow: true, pageSession }
}
