import { html } from 'hono/html'
import { type Choice, EXPIRY_DAYS } from '../../authorization/consent/choice.ts'
import type { ConsentRequest } from '../../authorization/consent/consent-service.ts'
import type { Listing } from '../../authorization/consent/listing.ts'
import { CONSENT_PATH } from '../../authorization/consent/paths.ts'
import type { Preview } from '../../authorization/consent/preview.ts'
import { allowsTraining, consentPurpose, shownPurpose } from '../../authorization/consent/purpose.ts'
import type { Review } from '../../authorization/consent/review.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { form, type Page, problem } from '../frame/layout.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { identity, party } from './identity.ts'
import { CONSENT_SCRIPT_PATH } from './script.ts'
import { sourceList } from './source-list.ts'
import { sumOf } from './sum.ts'

/** Max. missing items to list. */
const MAX_MISSING = 20

export interface ConsentView {
  readonly pageSession: PageSession
  readonly request: ConsentRequest
  readonly choice: Choice
  readonly review: Review
  readonly preview: Preview
  readonly listing: Listing
  readonly urls: RecordUrls
  readonly hasPassword: boolean
  /** Why the decision was refused and the page is shown again. */
  readonly notice: string | undefined
}

/** Shows who asks and what they would get, and lets the owner allow or deny. */
export function consentPage(view: ConsentView): Page {
  const { pageSession, request, review, notice } = view
  const action = `${CONSENT_PATH}/${request.uid}`
  const owner = request.profile === 'owner'
  const body = html`<header class="stack">
<h1>${party(request)} ${owner ? 'wants to act as you' : 'wants to read some of your data'}</h1>
${identity(request)}
</header>
${form(
  pageSession,
  { action, purpose: consentPurpose(request), stacked: true, id: 'consent' },
  html`<button class="hidden-label" name="decision" value="update" tabindex="-1" aria-hidden="true">Update</button>
<input type="hidden" name="revision" value="${request.revision}">
<input type="hidden" name="shown" value="${pageSession.formToken(shownPurpose(request, review))}">
${notice === undefined ? '' : problem(notice)}
${owner ? (request.isOwnerAgent ? fullAccess() : notListed(view)) : sharedData(view, action)}
${owner && !request.isOwnerAgent ? '' : answer(view)}`,
)}
<p id="announce" class="hidden-label" role="status"></p>`
  return { title: 'Allow access?', body, pageSession, bare: true, script: owner ? undefined : CONSENT_SCRIPT_PATH }
}

function sharedData(view: ConsentView, action: string): Markup {
  const { offer, requested, missing } = view.request
  if (offer.length === 0)
    return html`<section class="panel"><p>${requested ? 'Nothing that it asked for is here. Deny the request, so that it does not keep waiting.' : 'There is no data here yet that could be read.'}</p>${notHere(missing)}</section>`
  return html`<section class="stack">
<header><h2>What may it read?</h2>
<p class="quiet">${
    requested
      ? 'This is what it asked for. You can share less, but not more. It can only read: it cannot change or delete anything.'
      : 'It did not say what it needs or why, so you choose. Only what you tick is shared. It can only read: it cannot change or delete anything.'
  }</p></header>
${missing.length === 0 ? '' : html`<div class="note"><p>It also asked for things that are not here or that cannot be shared this way. It does not learn which.</p>${notHere(missing)}</div>`}
${sourceList(view, action)}
</section>
${duration(view.request, view.choice)}`
}

/** Lists requested items that do not exist. Only the owner sees this; the client does not learn it. */
function notHere(missing: readonly string[]): Markup {
  if (missing.length === 0) return html``
  const more = missing.length - MAX_MISSING
  return html`<ul class="steps small">${missing.slice(0, MAX_MISSING).map((text) => html`<li>${untrustedText(text, 200)}</li>`)}${more > 0 ? html`<li>and ${more} more</li>` : ''}</ul>`
}

const END_TEXTS: Readonly<Record<(typeof EXPIRY_DAYS)[number], string>> = {
  '1': 'a day',
  '7': 'a week',
  '30': '30 days',
  '90': '90 days',
  '365': 'a year',
  '': 'no end, until I end it myself',
}

function duration({ offer }: ConsentRequest, choice: Choice): Markup {
  const onlyOnce = offer.some(({ asked }) => asked?.singleUse)
  const radio = (value: string, text: string, checked: boolean) =>
    html`<label class="tick"><input type="radio" id="mode-${value}" name="mode" value="${value}"${checked ? html` checked` : ''}><span>${text}</span></label>`
  return html`<section class="panel"><h2>For how long?</h2>
${
  onlyOnce
    ? html`<p>Once: it asked for one hour of access.</p>`
    : html`<fieldset class="ticks"><legend class="hidden-label">How often</legend>
${radio('continuing', 'It may come back and read what is new', !choice.once)}
${radio('once', 'Once: it has an hour', choice.once)}</fieldset>
<label>If it may come back, this ends after <select id="ends" name="ends">${EXPIRY_DAYS.map((value) => html`<option value="${value}"${choice.ends === value ? html` selected` : ''}>${END_TEXTS[value]}</option>`)}</select></label>
<p class="small quiet">You can end it at any time.</p>`
}</section>`
}

function answer(view: ConsentView): Markup {
  const { request, review } = view
  const owner = request.profile === 'owner'
  const training = allowsTraining(review)
  const sensitive = review.grants.filter(({ source, draft }) =>
    source.streams.some((one) => one.sensitive && draft.streams.some(({ name }) => name === one.maxGrant.name)),
  )
  return html`<section class="panel answer" aria-label="Your answer">
${training ? tick('ai_training', 'Yes, an AI model may be trained with this data. What a model has learned cannot be taken back.') : ''}
<div class="words">${owner ? '' : html`<p class="sum" id="sum">${sumOf(view)}</p>`}
${sensitive.length === 0 ? '' : html`<p class="small warn-text">Sensitive: ${sensitive.map(({ source }, index) => html`${index === 0 ? '' : ', '}${untrustedText(source.declaration.display.name, 60)}`)}</p>`}
${review.grants.length > 1 ? html`<p class="small quiet">You give access to ${review.grants.length} sources at once. You can end each one separately.</p>` : ''}</div>
<p class="answers"><button class="button" id="allow" name="decision" value="approve">Allow</button>
<button class="button plain" id="deny" name="decision" value="deny" formnovalidate>Deny</button>
${owner ? '' : html`<button class="button plain without-script" id="update" name="decision" value="update">Update</button>`}</p>
</section>`
}

/** A confirmation that is never ticked in advance. */
function tick(name: string, text: string): Markup {
  return html`<label class="tick note warn"><input type="checkbox" id="${name}" name="${name}" value="yes"><span>${text}</span></label>`
}

function fullAccess(): Markup {
  return html`<section class="panel"><p class="note warn">This gives full access for a year: to read everything, to add and delete records, and to give and end access. An assistant never needs this.</p>
${tick('full_access', 'Yes, with full access to everything.')}</section>`
}

/** Full access takes two steps: the owner first lists the program, and then allows or denies its request. */
function notListed({ request: { client }, hasPassword }: ConsentView): Markup {
  return html`<section class="panel"><h2>This program is not on your list</h2>
<p>It asks for full access: to read everything, to add and delete records, and to give and end access. Only <code>pdpp</code> itself and programs that you list may ask for that. An assistant never needs it.</p>
<dl class="facts"><div><dt>Its id</dt><dd><code>${untrustedText(client.clientId, 500)}</code></dd></div></dl>
<p>If it is your own tool and you just started it, list it. You are then asked once more. It stays on the list until you remove it.</p>
${hasPassword ? html`<input type="text" name="username" value="owner" autocomplete="username" class="hidden-label" tabindex="-1" aria-hidden="true" readonly><label>Your password <input type="password" name="password" autocomplete="current-password" maxlength="1024"></label>` : ''}
<p class="answers"><button class="button plain" id="deny" name="decision" value="deny" formnovalidate>Deny</button>
<button class="button plain" id="list" name="decision" value="list">List this program</button></p></section>`
}

/** Shown after the decision if the client polls for the result, so there is no page to go to. */
export function decidedPage(pageSession: PageSession, approved: boolean): Page {
  const title = approved ? 'Allowed' : 'Denied'
  const text = approved
    ? 'You can close this page. The program that you started continues by itself.'
    : 'Nothing was shared. You can close this page.'
  return {
    title,
    body: html`<section class="panel"><h1>${title}</h1><p>${text}</p></section>`,
    narrow: true,
    pageSession,
  }
}
