import type { SourceDeclaration, StreamGrant } from '@pdpp/protocol'
import { html } from 'hono/html'
import { AI_TRAINING, type RequestedAccess } from '../authorization/authorization-details.ts'
import type { ConsentRequest } from '../authorization/consent/consent-service.ts'
import { isLoopbackRedirect } from '../clients/redirect-uri.ts'
import type { Connection } from '../connections/connection-store.ts'
import { resolveSelection } from '../grants/selection.ts'
import type { Visitor } from '../sessions/visitor.ts'
import { form, type Page } from './layout.ts'
import { type Markup, theirs } from './theirs.ts'

export interface Choosable {
  readonly declaration: SourceDeclaration
  readonly connections: readonly Connection[]
}

/** Who asks, what for, and the two answers. */
export function consentPage(visitor: Visitor, request: ConsentRequest, choosable: readonly Choosable[]): Page {
  const action = `/oauth/consent/${request.uid}`
  const owner = request.profile === 'owner'
  const body = html`<section class="panel">
<h1>${partyOf(request)} ${owner ? 'wants to act as you' : 'wants to read your data'}</h1>
${identity(request)}
${form(
  visitor,
  { action, purpose: consentPurpose(request), stacked: true },
  html`${owner ? everything() : request.requested ? requestedAccess(request.requested) : choice(choosable)}
<input type="hidden" name="revision" value="${request.revision}">
${owner ? '' : ends()}
<p><button name="decision" value="approve">Allow</button> <button name="decision" value="deny" formnovalidate>Deny</button></p>`,
)}
</section>`
  return { title: 'Allow access?', body, narrow: true, visitor }
}

/** The form holds for this session, this request, and what was shown of it. */
export function consentPurpose({ uid, revision }: Pick<ConsentRequest, 'uid' | 'revision'>): string {
  return `consent:${uid}:${revision}`
}

/** The party is a host where there is one that was proved; a name that anybody can choose is shown as such. */
function partyOf({ client, clientName }: ConsentRequest): Markup {
  if (client.kind === 'document') return html`<strong>${theirs(new URL(client.clientId).host)}</strong>`
  return html`“${theirs(client.metadata.client_name ?? clientName ?? client.clientId)}”`
}

function identity(request: ConsentRequest): Markup {
  const { client, redirectUri, kind, asked } = request
  const name = client.metadata.client_name
  return html`<dl>
${client.kind === 'document' && name !== undefined ? html`<dt>It calls itself</dt><dd>${theirs(name)}</dd>` : ''}
<dt>Known as</dt><dd><code>${theirs(client.clientId, 500)}</code>${client.kind === 'dynamic' ? ' (unverified: anybody can choose such a name)' : ''}</dd>
${asked === undefined ? '' : html`<dt>Asked</dt><dd>${new Date(asked.at).toISOString().slice(0, 16).replace('T', ' ')} UTC, from ${theirs(asked.from)}</dd>`}
<dt>The answer goes to</dt><dd>${redirectUri === undefined ? 'the device or command that asked' : theirs(targetOf(redirectUri))}</dd>
</dl>
${redirectUri !== undefined && isLoopbackRedirect(redirectUri) ? html`<p class="note">This is a program on the computer in front of you. Allow it only if you just started it there.</p>` : ''}
${kind === 'browser' ? '' : html`<p class="note warn">Allow this only if you just started it yourself, on a device that you have in front of you. Nobody else has a reason to send you here.</p>`}`
}

function targetOf(redirectUri: string): string {
  const url = new URL(redirectUri)
  return url.host === '' ? url.protocol : /^https?:$/.test(url.protocol) ? url.host : `${url.protocol}//${url.host}`
}

function requestedAccess(requested: readonly RequestedAccess[]): Markup {
  return html`${requested.map(
    (access) => html`<h2>${theirs(access.declaration.display.name)}</h2>
<p>Connections: ${access.selection.connections.map((id, index) => html`${index === 0 ? '' : ', '}${theirs(id)}`)}</p>
<ul>${resolveSelection(access.declaration, access.selection).map(streamItem)}</ul>
<p class="quiet">Purpose: ${theirs(access.purposeDescription ?? access.purposeCode, 500)}. ${access.singleUse ? 'Once.' : 'Until it ends.'}</p>
${access.retention ? html`<p class="quiet">It says that it keeps the data for ${theirs(access.retention.max_duration)} and then ${access.retention.on_expiry === 'delete' ? 'deletes' : 'anonymises'} it.</p>` : ''}
${access.commitments.map((text) => html`<p class="quiet">It promises: ${theirs(text, 500)}</p>`)}`,
  )}
${
  requested.some(({ purposeCode }) => purposeCode === AI_TRAINING)
    ? html`<p><label><input type="checkbox" name="ai_training" value="yes" required> I agree that a model is trained with this data.</label></p>`
    : ''
}`
}

function streamItem({ name, fields, time_constraint: time, resources }: StreamGrant): Markup {
  return html`<li><strong>${theirs(name)}</strong>: ${fields.map((field, index) => html`${index === 0 ? '' : ', '}${theirs(field)}`)}
${time?.since === undefined ? '' : html` from ${theirs(time.since)}`}${time?.until === undefined ? '' : html` before ${theirs(time.until)}`}
${resources === undefined ? '' : ` (${resources.length} record(s) only)`}</li>`
}

/** Nothing is chosen beforehand. */
function choice(choosable: readonly Choosable[]): Markup {
  if (choosable.length === 0) return html`<p>There is no data here yet that could be read.</p>`
  return html`<fieldset><legend>What may it read?</legend>
${choosable.map(
  ({ declaration, connections }) => html`<p>${theirs(declaration.display.name)}, with all of its streams</p>
${connections.map(
  ({ connectionId, displayName }) =>
    html`<p><label><input type="checkbox" name="connection" value="${connectionId}"> ${theirs(displayName ?? connectionId)}</label></p>`,
)}`,
)}
</fieldset>`
}

function everything(): Markup {
  return html`<p class="note warn">This gives full access for a year: to read everything, to add and delete records, and to make and end grants. An assistant never needs this.</p>
<p><label><input type="checkbox" name="full_access" value="yes" required> Yes, with full access to everything.</label></p>`
}

function ends(): Markup {
  return html`<p><label>Ends <select name="ends">
<option value="">when I end it</option>
<option value="1">after a day</option>
<option value="30">after 30 days</option>
<option value="365">after a year</option>
</select></label></p>`
}

/** After a decision whose answer is fetched, not sent: the owner is done here. */
export function decidedPage(visitor: Visitor, approved: boolean): Page {
  const title = approved ? 'Allowed' : 'Denied'
  const text = approved
    ? 'You can close this page: what you started goes on by itself.'
    : 'Nothing was given. You can close this page.'
  return { title, body: html`<section class="panel"><h1>${title}</h1><p>${text}</p></section>`, narrow: true, visitor }
}
