import { html } from 'hono/html'
import { type Choice, isOnceAsked } from '../../authorization/consent/choice.ts'
import type { ConsentRequest } from '../../authorization/consent/consent-service.ts'
import type { Listing } from '../../authorization/consent/listing.ts'
import { MAX_SOURCES } from '../../authorization/consent/offer.ts'
import { CONSENT_PATH } from '../../authorization/consent/paths.ts'
import type { Preview } from '../../authorization/consent/preview.ts'
import { allowsTraining, consentPurpose, shownPurpose } from '../../authorization/consent/purpose.ts'
import type { Review } from '../../authorization/consent/review.ts'
import type { SharedPreset } from '../../authorization/consent/shared-presets.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { count } from '../frame/dates.ts'
import { form, type Page, problem } from '../frame/layout.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { answerBar, confirmation } from './answer-bar.ts'
import { fullAccess, notListed } from './full-access.ts'
import { cautions, identity, party } from './identity.ts'
import { periods } from './periods.ts'
import { type EarlierAccess, earlierAccess, type NamedAccess, quickChoices } from './quick-choices.ts'
import { purposeLines } from './request-facts.ts'
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
  readonly presets: readonly SharedPreset[]
  /** Other agents whose access can be chosen here, too. */
  readonly others: readonly NamedAccess[]
  readonly earlier: EarlierAccess | undefined
  /** The client's own statements, if they are the same for all sources. */
  readonly facts: Markup | undefined
  /** Ids of folds that are open. */
  readonly opened: ReadonlySet<string>
  readonly urls: RecordUrls
  readonly hasPassword: boolean
  /** Why the decision was refused and the page is shown again. */
  readonly notice: string | undefined
}

/** Shows who asks and what they would get, on one screen, and lets the owner allow or deny. */
export function consentPage(view: ConsentView): Page {
  const { pageSession, request, review, notice } = view
  const isOwner = request.profile === 'owner'
  const body = html`${form(
    pageSession,
    { action: `${CONSENT_PATH}/${request.uid}`, purpose: consentPurpose(request), stacked: true, id: 'consent' },
    html`<button class="hidden-label" name="decision" value="update" tabindex="-1" aria-hidden="true">Update</button>
<input type="hidden" name="revision" value="${request.revision}">
<input type="hidden" name="shown" value="${pageSession.formToken(shownPurpose(request, review))}">
<div class="consent${isOwner || request.offer.length === 0 ? ' one' : ''}">
<div class="about stack"><header class="stack tight">${identity(request)}
<h1>${party(request)} ${isOwner ? 'wants to act as you' : 'wants to read some of your data'}</h1>
${cautions(request)}</header>
${isOwner ? '' : aboutData(view)}</div>
<div class="stack tight what">${notice === undefined ? '' : problem(notice)}
${isOwner ? '' : sharedData(view)}</div></div>
${isOwner ? (request.isOwnerAgent ? fullAccess(request) : notListed(request, view.hasPassword)) : answer(view)}`,
  )}
<p id="announce" class="hidden-label" role="status"></p>`
  return { title: 'Allow access?', body, pageSession, bare: true, script: CONSENT_SCRIPT_PATH }
}

/** The left side: the rule, the client's own statements, both periods, and its earlier access. */
function aboutData(view: ConsentView): Markup {
  const { request, choice, facts } = view
  const { offer, requested } = request
  if (offer.length === 0) return html``
  return html`<p class="quiet rule">${requested ? 'This is what it asked for. You can share less, but not more.' : 'Only what you tick is shared.'} <span class="wide">It can't change or delete anything, and you can stop it at any time.</span></p>
${facts ?? (requested ? purposeLines(offer) : '')}
${periods({ back: choice.back, ends: choice.ends, isAsked: requested !== undefined, isOnceAsked: isOnceAsked(offer) })}
${earlierAccess(view)}`
}

function sharedData(view: ConsentView): Markup {
  const { offer, requested, missing } = view.request
  if (offer.length === 0)
    return html`<section class="panel"><p>${requested ? 'Nothing that it asked for is here. Deny the request, so that it does not keep waiting.' : 'There is no data here yet that could be read.'}</p>${notHere(missing)}</section>`
  return html`${quickChoices(view)}
${sourceList(view)}
${missing.length === 0 ? '' : alsoAsked(missing)}
${offer.length >= MAX_SOURCES ? html`<p class="small quiet">Only the first ${count(MAX_SOURCES)} sources are offered here. An agent can ask for any other by name.</p>` : ''}`
}

/** A long list is folded, so that the page fits on one screen. */
function alsoAsked(missing: readonly string[]): Markup {
  const text = 'It also asked for things that are not here or that cannot be shared this way. It does not learn which.'
  return missing.length > 3
    ? html`<details class="more" id="missing"><summary>${text}</summary>${notHere(missing)}</details>`
    : html`<div class="note small"><p>${text}</p>${notHere(missing)}</div>`
}

/** Lists requested items that do not exist. Only the owner sees this; the client does not learn it. */
function notHere(missing: readonly string[]): Markup {
  if (missing.length === 0) return html``
  const more = missing.length - MAX_MISSING
  return html`<ul class="steps small">${missing.slice(0, MAX_MISSING).map((text) => html`<li>${untrustedText(text, 200)}</li>`)}${more > 0 ? html`<li>and ${more} more</li>` : ''}</ul>`
}

function answer(view: ConsentView): Markup {
  const { review } = view
  const sensitive = review.grants.filter(({ source, draft }) =>
    source.streams.some((one) => one.sensitive && draft.streams.some(({ name }) => name === one.maxGrant.name)),
  )
  const notes = html`${allowsTraining(review) ? confirmation('ai_training', 'Yes, an AI model may be trained with this data. What a model has learned cannot be taken back.') : ''}
${sensitive.length === 0 ? '' : html`<p class="small warn-text">Sensitive: ${sensitive.map(({ source }, index) => html`${index === 0 ? '' : ', '}${untrustedText(source.declaration.display.name, 60)}`)}</p>`}`
  return answerBar({ sentence: sumOf(view), notes, canAllow: review.problems.length === 0, hasPreview: true })
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
