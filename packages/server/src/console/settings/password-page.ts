import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import { form, type Page, problem } from '../frame/layout.ts'

export interface PasswordPage {
  readonly pageSession: PageSession
  readonly hasPassword: boolean
  /** True if PDPP_OWNER_PASSWORD sets the password. */
  readonly managed: boolean
  readonly failure?: { readonly message: string; readonly nextStep?: string }
}

export function passwordPage({ pageSession, hasPassword, managed, failure }: PasswordPage): Page {
  const title = hasPassword ? 'Change your password' : 'Set a password'
  const current = html`<label>Current password
<input type="password" name="current" autocomplete="current-password" required maxlength="1024">
</label>`
  const fields = html`<input type="text" name="username" value="owner" autocomplete="username" class="hidden-label" tabindex="-1" aria-hidden="true" readonly>
${hasPassword ? current : ''}
<label>New password
<input type="password" name="password" autocomplete="new-password" required minlength="12" maxlength="1024" aria-describedby="rule">
</label>
<p id="rule" class="small quiet">At least 12 characters. A few words that only you would put together are good.</p>
<label>The new password again
<input type="password" name="again" autocomplete="new-password" required minlength="12" maxlength="1024">
</label>
<button class="button">${title}</button>`
  const body = managed
    ? html`<section class="panel"><h1>Your password</h1>
<p>It is set by <code>PDPP_OWNER_PASSWORD</code>. To change it, change the variable and start the server again.</p></section>`
    : html`<section class="panel">
<header><h1>${title}</h1><p class="quiet">Every other browser is signed out when it changes.</p></header>
${failure ? problem(failure.message, failure.nextStep) : ''}
${form(pageSession, { action: '/owner/password', purpose: 'password', stacked: true }, fields)}
</section>`
  return { title, body, narrow: true, pageSession, here: '/settings' }
}
