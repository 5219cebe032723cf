import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import { form } from '../frame/layout.ts'
import type { Markup } from '../frame/untrusted-text.ts'

export interface EventChoices {
  readonly sendsEvents: boolean
  readonly allowsPrivate: boolean
}

export function eventsPanel(pageSession: PageSession, { sendsEvents, allowsPrivate }: EventChoices): Markup {
  const box = (name: string, isOn: boolean, text: string) =>
    html`<label class="tick"><input type="checkbox" name="${name}" value="on"${isOn ? html` checked` : ''}><span>${text}</span></label>`
  return html`<section class="panel" id="events"><h2>Events</h2>
${form(
  pageSession,
  { action: '/settings/events', purpose: 'events', stacked: true },
  html`${box('send', sendsEvents, 'Tell agents of changes at addresses that they name')}
${box('private', allowsPrivate, 'Also at addresses on this computer and in private networks')}
<p class="small quiet">An event says that something changed, never what. Agents that ask for events themselves are not affected.</p>
<button class="button plain">Apply</button>`,
)}</section>`
}
