import type { Grant } from '@pdpp/protocol'
import { html } from 'hono/html'
import { type End, FIELDS, type Reach } from '../../grants/widening/choice.ts'
import type { WideningDraft } from '../../grants/widening/draft.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { segments } from '../consent/periods.ts'
import { CONSENT_SCRIPT_PATH } from '../consent/script.ts'
import { dayText } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { form, type Page, problem } from '../frame/layout.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { type PartListView, partList } from './part-list.ts'
import { sumOf } from './sum.ts'

const NEW_PATH = '/agents/new'
export const NAME_CHARS = 80

export interface NewAccessView extends PartListView {
  readonly pageSession: PageSession
  readonly draft: WideningDraft
  /** The access that is copied, with the sentence that describes it. */
  readonly copied: { readonly id: string; readonly sentence: Markup } | undefined
  readonly purpose: string
  readonly shown: string
  readonly once: { readonly name: string; readonly value: string }
  readonly notice: string | undefined
}

const ENDS: readonly (readonly [End, string])[] = [
  ['1', '1 hour'],
  ['168', '7 days'],
  ['720', '30 days'],
  ['2160', '90 days'],
  ['rest', 'No end'],
]
const REACHES: readonly (readonly [Reach, string])[] = [
  ['30', '30 days'],
  ['365', '12 months'],
  ['all', 'Everything'],
]

/** Creates access for the owner's own program, which gets a token instead of asking in the browser. */
export function newAccessPage(view: NewAccessView): Page {
  const { pageSession, subject, choice, draft, preview, copied, purpose, shown, once, notice } = view
  const fields = html`<button class="hidden-label" name="decision" value="update" tabindex="-1" aria-hidden="true">Update</button>
<input type="hidden" name="shown" value="${shown}"><input type="hidden" name="${once.name}" value="${once.value}">${copied ? html`<input type="hidden" name="copy" value="${copied.id}">` : ''}
<div class="consent"><div class="about stack"><header class="stack tight"><h1>${copied ? 'Copy this access for a script' : 'A token for a script'}</h1>
<p class="quiet">For a program of your own that can't ask in the browser. It can't change or delete anything. Only what you tick is shared.</p></header>
<label>What is it called? <input type="text" name="name" id="name" value="${subject.client.name}" maxlength="${NAME_CHARS}" required autocomplete="off" placeholder="Bill sorter"></label>
<div class="periods">${copied ? '' : segments({ legend: 'How far back?', name: FIELDS.reach, value: choice.reach, options: REACHES })}${segments({ legend: 'For how long?', name: FIELDS.end, value: choice.end, options: ENDS })}</div></div>
<div class="stack tight what">${notice === undefined ? '' : problem(notice)}
${copied ? html`<section class="panel"><h2>It gets the same</h2><p class="say minor">${copied.sentence}</p></section>` : partList(view)}</div></div>
<section class="answer" aria-label="Your answer"><p class="say" id="sum">${copied ? 'The same sources, parts and fields, with an end of its own.' : untrustedText(sumOf(subject, choice, draft, preview), 800)}</p>
<div class="acts"><a class="button plain big" href="/agents">Cancel</a>${copied ? '' : html`<button class="button plain big without-script" id="update" name="decision" value="update">Preview</button>`}
<button class="button big" id="allow" name="decision" value="approve"${copied || draft.problems.length === 0 ? '' : html` data-empty`}>Make token</button></div></section>`
  return {
    title: 'A token for a script',
    body: html`${form(pageSession, { action: NEW_PATH, purpose, stacked: true, id: 'consent' }, fields)}<p id="announce" class="hidden-label" role="status"></p>`,
    ...{ pageSession, bare: true, script: copied ? undefined : CONSENT_SCRIPT_PATH },
  }
}

export interface TokenPage {
  readonly pageSession: PageSession
  readonly name: string
  readonly token: string
  readonly grants: readonly Grant[]
  readonly path: string
  readonly origin: string
}

/** Shows a token. This is the only time, because only its hash is stored. */
export function tokenPage({ pageSession, name, token, grants, path, origin }: TokenPage): Page {
  const ends = grants.map(({ expires_at: end }) => end)
  const last = ends.includes(null) ? undefined : ends.reduce((a, b) => (b! > a! ? b : a))!
  const body = html`<header class="stack tight"><h1>The token of ${untrustedText(name, NAME_CHARS)}</h1>
<p class="quiet">${icon('lock')} Copy it now: it is shown only once. Anyone who has it can read what you chose${last === undefined ? '' : `, until ${dayText(Date.parse(last))}`}.</p></header>
<div class="token-line"><p class="token-once" id="token" tabindex="0" aria-label="The token">${token}</p><button type="button" class="button" data-copy="token">${icon('copy')}Copy<span class="hidden-label"> the token</span></button></div>
<section class="panel"><h2>How to use it</h2><p class="small quiet">Put it into the variable <code>TOKEN</code>, then see what it can read:</p>
<div class="cmd"><pre id="how">curl -H "Authorization: Bearer $TOKEN" ${untrustedText(`${origin}/v1/schema`, 200)}</pre><button type="button" class="button plain small" data-copy="how">${icon('copy')}Copy<span class="hidden-label"> the command</span></button></div>
${grants.length > 1 ? html`<p class="small">It reads ${grants.length} sources, so each read names one with <code>connection_id</code>. The line above lists them.</p>` : ''}</section>
<p><a class="button" href="${path}">Done</a></p>`
  return { title: 'Your token', body, pageSession, bare: true, narrow: true }
}

/** The answer to a form that was sent twice, for example by reloading the page of the token. */
export function madeAlreadyPage(pageSession: PageSession, clientId: string): Page {
  const body = html`<header class="stack tight"><h1>This token was already made</h1>
<p class="quiet">It was shown once and can't be shown again. No second token was made.</p></header>
<p class="answers"><a class="button" href="/agents/clients/${encodeURIComponent(clientId)}">See its access</a><a class="button plain" href="${NEW_PATH}">Make another token</a></p>
<p class="small quiet">If you did not copy it, revoke its access and make another.</p>`
  return { title: 'This token was already made', body, pageSession, bare: true, narrow: true }
}
