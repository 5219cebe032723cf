import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import { form } from '../frame/layout.ts'
import { preferences, THEMES } from '../frame/preferences.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

/** The owner's time zone, and the colours of this browser. */
export function appearancePanel(pageSession: PageSession): Markup {
  const { zone, chosenZone, theme } = preferences()
  const option = (value: string, text: string, chosen: string) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`
  const names = { light: 'Light', dark: 'Dark' }
  return html`<section class="panel" id="appearance"><h2>Time zone and appearance</h2>
<p>Times are in your time zone, ${untrustedText(zone, 60)}. Imports use it for times without a zone.</p>
${form(
  pageSession,
  { action: '/settings/appearance', purpose: 'appearance', stacked: true },
  html`<label>Another time zone <input type="text" name="zone" value="${chosenZone ?? ''}" maxlength="60" placeholder="As my browser says" autocomplete="off"></label>
<label>Colours <select name="theme">${option('', 'As my system says', theme ?? '')}${THEMES.map((name) => option(name, names[name], theme ?? ''))}</select></label>
<button class="button plain">Save appearance</button>`,
)}</section>`
}
