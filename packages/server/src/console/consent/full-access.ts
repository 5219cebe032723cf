import { html } from 'hono/html'
import type { ConsentRequest } from '../../authorization/consent/consent-service.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { answerBar, confirmation } from './answer-bar.ts'
import { party } from './identity.ts'

/** Asks the owner to let a program from their own list act as the owner. */
export function fullAccess(request: ConsentRequest): Markup {
  return html`<section class="panel"><p class="note warn">This gives full access for a year: to read everything, to add and delete items, and to give and end access. An agent never needs this.</p></section>
${answerBar({
  sentence: html`${party(request)} may do everything that you can do, for a year.`,
  notes: confirmation('full_access', 'Yes, with full access to everything.'),
  canAllow: true,
  hasPreview: false,
})}`
}

/** Full access takes two steps: the owner first lists the program, and then allows or denies its request. */
export function notListed({ client }: ConsentRequest, hasPassword: boolean): Markup {
  return html`<section class="panel"><h2>This program is not on your list</h2>
<p>It asks for full access: to read everything, to add and delete items, and to give and end access. Only <code>pdpp</code> itself and programs that you list may ask for that. An agent never needs it.</p>
<dl class="facts"><div><dt>Its id</dt><dd><code>${untrustedText(client.clientId, 500)}</code></dd></div></dl>
<p>If it is your own tool and you just started it, list it. You are then asked once more. It stays on the list until you remove it.</p>
${hasPassword ? html`<input type="text" name="username" value="owner" autocomplete="username" class="hidden-label" tabindex="-1" aria-hidden="true" readonly><label>Your password <input type="password" name="password" autocomplete="current-password" maxlength="1024"></label>` : ''}
<p class="answers"><button class="button plain" id="deny" name="decision" value="deny" formnovalidate>Deny</button>
<button class="button plain" id="list" name="decision" value="list">List this program</button></p></section>`
}
