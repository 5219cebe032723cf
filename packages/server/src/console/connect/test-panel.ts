import type { State } from '@pdpp/mcp-server/doctor'
import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import type { SelfTestResult } from '../../upkeep/self-test.ts'
import { ago } from '../frame/dates.ts'
import { form } from '../frame/layout.ts'
import { preferences } from '../frame/preferences.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

/** Runs the same steps as an agent, and shows the first one that fails. */
export function testPanel(pageSession: PageSession, origin: string, result: SelfTestResult | undefined): Markup {
  const first = result?.found.find(({ state }) => state === 'broken')
  const says =
    first === undefined
      ? html`<div class="note" role="status"><p>Everything works, as far as this server can test.</p></div>`
      : html`<div class="note warn" role="alert"><p>First broken: <strong>${first.name}</strong>: ${untrustedText(first.says, 300)}</p><p class="small">${first.fix ?? ''}</p></div>`
  return html`<section class="panel" id="test"><h2>Does the address work?</h2>
<p class="quiet small">The server calls itself at <code>${untrustedText(origin, 200)}</code>, as an agent would. <code>${preferences().command} doctor</code> does the same from another computer.</p>
${form(pageSession, { action: '/agents/connect/test', purpose: 'self-test' }, html`<button class="button plain">Test it now</button>`)}
${
  result === undefined
    ? ''
    : html`${says}<ul class="checks small">${result.found.map(
        ({ name, state, says: text, fix }) =>
          html`<li>${stateBadge(state)}<span><strong>${name}</strong>: ${untrustedText(text, 300)}${fix === undefined || state === 'broken' ? '' : html`<br><span class="quiet">${fix}</span>`}</span></li>`,
      )}</ul><p class="small quiet">Tested ${ago(result.at, Date.now())}.</p>`
}
</section>`
}

function stateBadge(state: State): Markup {
  const texts = { ok: 'works', warning: 'doubtful', broken: 'broken', skipped: 'not tried' }
  const kinds = { ok: 'good', warning: 'warn', broken: 'bad', skipped: '' }
  return html`<span class="badge ${kinds[state]}">${texts[state]}</span>`
}
