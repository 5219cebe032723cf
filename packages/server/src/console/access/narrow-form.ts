import { type Grant, requiredFields, type StreamDeclaration, type StreamGrant } from '@pdpp/protocol'
import { html } from 'hono/html'
import { grantedConnections } from '../../grants/authority.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { count } from '../frame/dates.ts'
import { form } from '../frame/layout.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

export interface NarrowForm {
  readonly grant: Grant
  readonly declared: readonly StreamDeclaration[]
  /** The refused form. It is shown again, so that the owner can correct it. */
  readonly sent: URLSearchParams | undefined
}

/** A form in which everything in the grant is ticked. The narrower grant omits everything that the owner unticks. */
export function narrowForm(pageSession: PageSession, { grant, declared, sent }: NarrowForm): Markup {
  const connections = grantedConnections(grant)
  const isKept = (name: string, value: string) => sent?.getAll(name).includes(value) ?? true
  const date = (name: string) => html`<input type="date" name="${name}" value="${sent?.get(name) ?? ''}">`
  const body = html`<p class="quiet">Untick what it doesn't need. It keeps working with the rest. To give it more, use the button above.</p>
<input type="hidden" name="connections" value="${connections.length > 1 ? 'chosen' : 'all'}">
${connections.length > 1 ? html`<fieldset class="fieldset"><legend>Sources</legend>${connections.map((id) => tick('connection', id, isKept))}</fieldset>` : ''}
${grant.streams.map((granted) =>
  streamFields(
    granted,
    declared.find(({ name }) => name === granted.name),
    isKept,
  ),
)}
<div class="answers">
<label>Only items from ${date('since')}</label>
<label>Only items before ${date('until')}</label>
<label>End access on ${date('expires')}</label>
</div>
<p class="small quiet">Each of these days begins at midnight UTC.</p>
<button class="button">Reduce access</button>`
  return html`<details class="more" id="narrow"${sent === undefined ? '' : html` open`}><summary>Reduce access or set an end date</summary>${form(
    pageSession,
    { action: `/agents/grants/${grant.grant_id}/narrow`, purpose: `narrow:${grant.grant_id}`, stacked: true },
    body,
  )}</details>`
}

type IsKept = (name: string, value: string) => boolean

function streamFields(granted: StreamGrant, declaration: StreamDeclaration | undefined, isKept: IsKept): Markup {
  const required = declaration ? requiredFields(declaration) : []
  const amount = granted.fields.length
  const name = `field/${granted.name}`
  const isChanged = granted.fields.some((field) => !required.includes(field) && !isKept(name, field))
  return html`<fieldset class="fieldset"><legend>${untrustedText(granted.name, 60)}</legend>
${tick('stream', granted.name, isKept, html`Keep this part`)}
<details class="more"${isChanged ? html` open` : ''}><summary class="small">Its ${count(amount)} ${amount === 1 ? 'field' : 'fields'}</summary><div class="ticks">${granted.fields.map(
    (field) => {
      const always = required.includes(field)
      return html`<label class="tick"><input type="checkbox" name="${name}" value="${field}" id="field-${granted.name}-${field}"${always || isKept(name, field) ? html` checked` : ''}${always ? html` disabled` : ''}><span>${untrustedText(field, 60)}${always ? html` <span class="small quiet">always</span>` : ''}</span></label>`
    },
  )}</div></details></fieldset>`
}

function tick(name: string, value: string, isKept: IsKept, label?: Markup): Markup {
  return html`<label class="tick"><input type="checkbox" name="${name}" value="${value}" id="${name}-${value}"${isKept(name, value) ? html` checked` : ''}><span>${label ?? untrustedText(value, 80)}</span></label>`
}
