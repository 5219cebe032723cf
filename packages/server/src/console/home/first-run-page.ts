import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import { icon } from '../frame/icons.ts'
import { form, type Page } from '../frame/layout.ts'

/** The first page on a new server: look around with demo data, or start with the owner's own data. */
export function firstRunPage(pageSession: PageSession): Page {
  const body = html`<div class="hero"><h1>Your data, on your server.</h1>
<p class="say">Keep your mail, chats, notes and photos here. Let an AI agent read the parts you choose, for as long as you choose.</p></div>
<div class="picks">
<section class="pick" aria-labelledby="own"><span class="tile k-place">${icon('add')}</span><h2 id="own">Start with my own</h2>
<p class="quiet">Drop an export from a service you use, a mailbox, or a table. You see everything before it is saved.</p>
${form(pageSession, { action: '/first-run/own', purpose: 'first-run-own' }, html`<button class="button big">Start with my own</button>`)}</section>
<section class="pick" aria-labelledby="demo"><span class="tile k-note">${icon('flask')}</span><h2 id="demo">Look around with demo data</h2>
<p class="quiet">A year in the life of Mira, who is invented. It stays apart from your own data, and one click removes it.</p>
${form(pageSession, { action: '/first-run/demo', purpose: 'first-run-demo' }, html`<button class="button plain big">Load the demo</button>`)}<p class="small quiet">Takes a few seconds.</p></section>
</div>
<ul class="trust"><li>${icon('lock')} Nothing leaves this computer unless you allow it</li><li>${icon('eye')} You see everything an agent reads</li><li>${icon('pause')} Pause or revoke at any time</li></ul>`
  return { title: 'Welcome', body, pageSession, bare: true }
}
