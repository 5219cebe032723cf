import { type Grant, requiredFields, type StreamDeclaration, type StreamGrant } from '@pdpp/protocol'
import { html } from 'hono/html'
import { grantedConnections } from '../grants/authority.ts'
import type { Visitor } from '../sessions/visitor.ts'
import { form } from './layout.ts'
import { type Markup, theirs } from './theirs.ts'

/** Everything the grant has, ticked: what is taken away is left out of the smaller one. */
export function narrowForm(visitor: Visitor, grant: Grant, declared: readonly StreamDeclaration[]): Markup {
  const connections = grantedConnections(grant)
  const body = html`<p class="quiet">Take away what it does not need. The agent keeps working with the rest, and nothing can be added here.</p>
<input type="hidden" name="connections" value="${connections.length > 1 ? 'chosen' : 'all'}">
${connections.length > 1 ? html`<fieldset class="fieldset"><legend>Connections</legend>${connections.map((id) => tick('connection', id, `connection-${id}`, true))}</fieldset>` : ''}
${grant.streams.map((granted) =>
  streamFields(
    granted,
    declared.find(({ name }) => name === granted.name),
  ),
)}
<div class="answers">
<label>Only records from <input type="date" name="since"></label>
<label>Only records before <input type="date" name="until"></label>
<label>End it on <input type="date" name="expires"></label>
</div>
<button class="button">Narrow it</button>`
  return html`<details class="more" id="narrow"><summary>Narrow it, or give it an end</summary>${form(
    visitor,
    { action: `/access/grants/${grant.grant_id}/narrow`, purpose: `narrow:${grant.grant_id}`, stacked: true },
    body,
  )}</details>`
}

function streamFields(granted: StreamGrant, declaration: StreamDeclaration | undefined): Markup {
  const required = declaration ? requiredFields(declaration) : []
  return html`<fieldset class="fieldset"><legend>${theirs(granted.name, 60)}</legend>
${tick('stream', granted.name, `stream-${granted.name}`, true, html`Keep this stream`)}
<details class="more"><summary class="small">Its ${granted.fields.length} fields</summary><div class="ticks">${granted.fields.map(
    (field) => {
      const always = required.includes(field)
      return html`<label class="tick"><input type="checkbox" name="field/${granted.name}" value="${field}" id="field-${granted.name}-${field}" checked${always ? html` disabled` : ''}><span>${theirs(field, 60)}${always ? html` <span class="small quiet">always</span>` : ''}</span></label>`
    },
  )}</div></details></fieldset>`
}

function tick(name: string, value: string, id: string, checked: boolean, label?: Markup): Markup {
  return html`<label class="tick"><input type="checkbox" name="${name}" value="${value}" id="${id}"${checked ? html` checked` : ''}><span>${label ?? theirs(value, 80)}</span></label>`
}
