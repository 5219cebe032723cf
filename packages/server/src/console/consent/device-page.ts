import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import { form, type Page, problem } from '../frame/layout.ts'

/**
 * The page where the owner types the code that a device shows. A link may prefill the code, but the owner must submit
 * it.
 */
export function devicePage(
  pageSession: PageSession,
  { userCode, failed }: { userCode: string; failed: boolean },
): Page {
  const body = html`<section class="panel">
<h1>Connect a device</h1>
${failed ? problem('No device is waiting with this code.', 'Compare it with the device. Codes are valid for ten minutes.') : ''}
<p>Type the code that the device shows. Do this only for a device or command that you started yourself.</p>
${form(
  pageSession,
  { action: '/device', purpose: 'device', stacked: true },
  html`<label>Code <input type="text" name="user_code" value="${userCode}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required></label>
<button class="button">Continue</button>`,
)}
</section>`
  return { title: 'Connect a device', body, narrow: true, pageSession }
}
