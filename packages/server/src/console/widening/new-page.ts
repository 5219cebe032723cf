import type { Grant } from '@pdpp/protocol'
import { html } from 'hono/html'
import { type End, FIELDS, type WideningChoice } from '../../grants/widening/choice.ts'
import type { WideningDraft } from '../../grants/widening/draft.ts'
import type { WideningSubject } from '../../grants/widening/subject.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { CONSENT_SCRIPT_PATH } from '../consent/script.ts'
import { dayText } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { form, type Page, problem } from '../frame/layout.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { partList } from './page.ts'
import type { PreviewedStream } from './preview.ts'
import { segment } from './segment.ts'
import { sumOf } from './sum.ts'

export const NEW_PATH = '/agents/new'
export const NAME_CHARS = 80

export interface NewAccessView {
  readonly pageSession: PageSession
  readonly subject: WideningSubject
  readonly choice: WideningChoice
  readonly draft: WideningDraft
  readonly preview: readonly PreviewedStream[]
  readonly totals: ReadonlyMap<string, number>
  readonly urls: RecordUrls
  /** The access that is copied as it is, with the sentence that tells it. */
  readonly copied: { readonly id: string; readonly sentence: Markup } | undefined
  readonly purpose: string
  readonly shown: string
  readonly notice: string | undefined
}

const END_TEXTS: Readonly<Record<End, string>> = {
  rest: 'No end date',
  '1': '1 hour',
  '168': '7 days',
  '720': '30 days',
  '2160': '90 days',
}
const REACH_TEXTS = { all: 'Everything', '365': '12 months', '30': '30 days' } as const

/** Makes access for a program of the owner's own, which gets a token instead of asking in the browser. */
export function newAccessPage(view: NewAccessView): Page {
  const { pageSession, subject, choice, draft, preview, copied, purpose, shown, notice } = view
  const ends = ['1', '168', '720', '2160', 'rest'] as const
  const reaches = ['all', '365', '30'] as const
  const fields = html`<button class="hidden-label" name="decision" value="update" tabindex="-1" aria-hidden="true">Update</button>
<input type="hidden" name="shown" value="${shown}">${copied ? html`<input type="hidden" name="copy" value="${copied.id}">` : ''}
${notice === undefined ? '' : problem(notice)}
<div class="widen"><div class="stack"><header class="stack tight"><h1>${copied ? 'Copy this access for a script' : 'A token for a script'}</h1>
<p class="quiet">For a program of your own that can't ask in the browser. It can't change or delete anything. Only what you tick is shared.</p></header>
<label>What is it called? <input type="text" name="name" id="name" value="${subject.client.name}" maxlength="${NAME_CHARS}" required autocomplete="off" placeholder="Receipt sorter"></label>
${copied ? '' : segment('How far back?', FIELDS.reach, reaches, choice.reach, (reach) => REACH_TEXTS[reach as keyof typeof REACH_TEXTS])}
${segment('For how long?', FIELDS.end, ends, choice.end, (end) => END_TEXTS[end as End])}</div>
${copied ? html`<section class="panel"><h2>It gets the same</h2><p class="say minor">${copied.sentence}</p></section>` : partList(view)}</div>
<section class="panel answer" aria-label="Your answer"><div class="words"><p class="sum" id="sum">${copied ? 'The same sources, parts and fields, with an end of its own.' : untrustedText(sumOf(subject, choice, draft, preview), 800)}</p></div>
<p class="answers"><a class="button plain" href="/agents">Cancel</a>${copied ? '' : html`<button class="button plain without-script" id="update" name="decision" value="update">Preview</button>`}
<button class="button" id="allow" name="decision" value="approve">Make the token</button></p></section>`
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

/** Shows a token for the only time. Its hash is all that is kept. */
export function tokenPage({ pageSession, name, token, grants, path, origin }: TokenPage): Page {
  const ends = grants.map(({ expires_at: end }) => end)
  const last = ends.includes(null) ? undefined : ends.reduce((a, b) => (b! > a! ? b : a))!
  const body = html`<header class="stack tight"><h1>The token of ${untrustedText(name, NAME_CHARS)}</h1>
<p class="quiet">${icon('lock')} Copy it now: it is shown only once. Whoever has it reads what you chose${last === undefined ? '' : `, until ${dayText(Date.parse(last))}`}.</p></header>
<p class="token-once" tabindex="0" aria-label="The token">${token}</p>
<section class="panel"><h2>How to use it</h2><p class="small quiet">Send it as a bearer token:</p>
<div class="cmd"><pre>curl -H "Authorization: Bearer $TOKEN" ${untrustedText(`${origin}/v1/schema`, 200)}</pre></div>
${grants.length > 1 ? html`<p class="small">It reads ${grants.length} sources, so each read names one with <code>connection_id</code>. The line above lists them.</p>` : ''}</section>
<p><a class="button" href="${path}">Done</a></p>`
  return { title: 'Your token', body, pageSession, bare: true, narrow: true }
}
