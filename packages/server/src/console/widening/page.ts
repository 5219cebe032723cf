import { html } from 'hono/html'
import { isTraining } from '../../authorization/requests/authorization-details.ts'
import type { Client } from '../../clients/client-store.ts'
import { endOf, grantsOf } from '../../grants/widening/access.ts'
import { type End, endsOf, FIELDS, type Reach, reachesOf, type WideningChoice } from '../../grants/widening/choice.ts'
import type { WideningDraft } from '../../grants/widening/draft.ts'
import type { OfferedPart } from '../../grants/widening/offer.ts'
import type { WideningSubject } from '../../grants/widening/subject.ts'
import type { StoredWish } from '../../grants/wishes/wish-store.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { identityOf } from '../access/client-page.ts'
import { timesText } from '../access/wish-text.ts'
import { CONSENT_SCRIPT_PATH } from '../consent/script.ts'
import { counted, dayText } from '../frame/dates.ts'
import { agentTile, kindOf, kindTile, sourceWords } from '../frame/kind.ts'
import { form, type Page, problem } from '../frame/layout.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'
import { partRow, sourceName } from './part.ts'
import type { PreviewedStream } from './preview.ts'
import { segment } from './segment.ts'
import { sumOf } from './sum.ts'

export interface WideningView {
  readonly pageSession: PageSession
  readonly subject: WideningSubject
  readonly client: Client | undefined
  /** What the agent asked for, in words; undefined if the owner gives it more without being asked. */
  readonly asked: string | undefined
  readonly wish: StoredWish | undefined
  readonly choice: WideningChoice
  readonly draft: WideningDraft
  readonly preview: readonly PreviewedStream[]
  /** Items of each stream in all, by connector and stream. */
  readonly totals: ReadonlyMap<string, number>
  readonly urls: RecordUrls
  readonly action: string
  readonly purpose: string
  readonly shown: string
  /** Where Cancel leads. */
  readonly back: string
  readonly notice: string | undefined
}

/** One decision: what an agent may read in addition. A page without navigation, like the one that asks at first. */
export function wideningPage(view: WideningView): Page {
  const { pageSession, subject, asked, action, purpose, shown, notice } = view
  const name = plainText(subject.client.name, 80)
  const title = asked === undefined ? `Give ${name} more` : `${name} asks for ${asked}`
  const body = form(
    pageSession,
    { action, purpose, stacked: true, id: 'consent' },
    html`<button class="hidden-label" name="decision" value="update" tabindex="-1" aria-hidden="true">Update</button>
<input type="hidden" name="shown" value="${shown}">
${notice === undefined ? '' : problem(notice)}
<div class="widen"><div class="stack">
<header class="stack tight"><div class="who-asks">${agentTile(name, 'big')}<div>${who(view)}</div></div>
<h1>${untrustedText(title, 300)}</h1><p class="quiet">${before(view)}</p></header>
${segments(view)}</div>
${partList(view)}</div>
${answer(view)}`,
  )
  return {
    title: asked === undefined ? `Give ${name} more` : `Allow ${name} more?`,
    body: html`${body}<p id="announce" class="hidden-label" role="status"></p>`,
    ...{ pageSession, bare: true, script: CONSENT_SCRIPT_PATH },
  }
}

function who({ client, wish }: WideningView): Markup {
  const times = wish && wish.times > 0 ? html`<p class="small quiet">Asked ${timesText(wish)}</p>` : ''
  return html`${client ? html`<p class="small">${identityOf(client)}</p>` : ''}${times}`
}

function before({ subject: { access }, wish, draft, asked }: WideningView): Markup {
  const sources = access ? grantsOf(access).length : 0
  const paused = access?.members.some(({ pausedAt }) => pausedAt !== undefined)
  return html`It already reads ${counted(sources, 'source')}. This adds to that and changes nothing else.${asked === undefined ? ' Only what you tick is added.' : ''}${paused ? ' It is paused, and stays paused.' : ''}${
    wish?.state === 'denied' || wish?.state === 'silenced'
      ? html` <strong>You ${wish.state} this before.</strong> It stays refused unless you allow it now.`
      : ''
  }${draft.becomesPackage ? html`</p><p class="note small">From then on it reads several sources with one key. Each of its reads has to name the source (<code>connection_id</code>); agents are told so and go on by themselves, a script of yours may need a change.` : ''}`
}

const REACHES: Readonly<Record<Exclude<Reach, 'asked'>, string>> = {
  rest: 'As the rest',
  '30': '30 days',
  '365': '12 months',
  all: 'Everything',
}
const ENDS: Readonly<Record<End, string>> = {
  rest: 'As the rest',
  '1': '1 hour',
  '168': '7 days',
  '720': '30 days',
  '2160': '90 days',
}

function segments({ subject, choice }: WideningView): Markup {
  const { offer, access, lacks } = subject
  const reaches = reachesOf(offer, access, lacks)
  const isDated = offer.some(
    ({ kind, stream }) => kind === 'time' || (kind === 'stream' && stream.consent_time_field != null),
  )
  const ends = endsOf(offer, access)
  const last = access && endOf(access)
  const reachText = (reach: Reach) =>
    reach === 'asked' ? `From ${dayText(Date.parse((lacks as { since: string }).since))}` : REACHES[reach]
  return html`${isDated && reaches.length > 1 ? segment('How far back?', FIELDS.reach, reaches, choice.reach, reachText) : ''}
${
  ends.length > 1
    ? segment('For how long?', FIELDS.end, ends, choice.end, (end) =>
        access || end !== 'rest' ? ENDS[end] : 'No end date',
      )
    : ''
}
${access ? html`<p class="small quiet">${ends.length > 1 ? 'This is for new sources. More of a source that it reads already' : 'It'} ends with the rest${last === undefined ? ', when you end it' : `, on ${dayText(Date.parse(last))}`}.</p>` : ''}`
}

type PartListView = Pick<WideningView, 'subject' | 'choice' | 'preview' | 'totals' | 'urls'> & {
  readonly asked?: string | undefined
}

/** What can be ticked: singly if the agent asked for it, by source if the owner looks for it. */
export function partList(view: PartListView): Markup {
  const { subject, asked } = view
  const { offer } = subject
  if (offer.length === 0)
    return html`<section class="panel"><p>${asked === undefined ? (subject.access ? 'It already reads everything that is here.' : 'There is nothing here yet that could be read.') : 'Nothing like this is here, or it reads it already. It does not learn which.'}</p></section>`
  const row = (part: OfferedPart) =>
    partRow({
      ...{ part, choice: view.choice, preview: view.preview, urls: view.urls, isOnly: offer.length === 1 },
      total: view.totals.get(`${part.declaration.connector_key}/${part.stream.name}`),
    })
  if (asked !== undefined && offer.length <= 12)
    return html`<section class="panel flat" aria-label="What it would read"><ul class="list parts">${offer.map(row)}</ul></section>`
  const bySource = [...Map.groupBy(offer, ({ declaration }) => declaration)]
  return html`<section class="panel flat" aria-label="What it could read"><ul class="list parts">${bySource.map(
    ([declaration, own]) => {
      const chosen = own.filter(({ key }) => view.choice.parts.has(key)).length
      return html`<li><details class="part-source" id="source-${declaration.connector_key}"${chosen > 0 || bySource.length === 1 ? html` open` : ''}><summary class="row">${kindTile(kindOf(own[0]!.stream.name, sourceWords(declaration)))}<span class="grow"><strong>${untrustedText(sourceName(own[0]!), 80)}</strong><br><span class="small quiet">${chosen === 0 ? counted(own.length, 'part') : `${chosen} of ${counted(own.length, 'part')} chosen`}</span></span></summary><ul class="list parts">${own.map(row)}</ul></details></li>`
    },
  )}</ul></section>`
}

function answer(view: WideningView): Markup {
  const { subject, asked, choice, draft, preview, back } = view
  const training = isTraining(subject.purpose.purposeCode)
  const canAllow = subject.offer.length > 0
  return html`<section class="panel answer" aria-label="Your answer">
${training && canAllow ? html`<label class="tick note warn"><input type="checkbox" id="ai_training" name="ai_training" value="yes"><span>Yes, an AI model may be trained with this data too. What a model has learned cannot be taken back.</span></label>` : ''}
<div class="words"><p class="sum" id="sum">${untrustedText(canAllow ? sumOf(subject, choice, draft, preview) : 'There is nothing to allow.', 800)}</p>
<p class="small quiet">It can't change or delete anything.</p></div>
<p class="answers">${asked === undefined ? html`<a class="button plain" href="${back}">Cancel</a>` : html`<button class="button ghost" name="decision" value="silence" formnovalidate>Silence</button><button class="button plain" id="deny" name="decision" value="deny" formnovalidate>Deny</button>`}
<button class="button plain without-script" id="update" name="decision" value="update">Preview</button>
${canAllow ? html`<button class="button" id="allow" name="decision" value="approve">Allow</button>` : ''}</p>
</section>`
}

/** The access has ended, so there is nothing to add to. */
export function endedPage(pageSession: PageSession): Page {
  const body = html`<header class="stack tight"><h1>This access has ended</h1><p class="quiet">Nothing can be added to it. The agent has to ask you again for all of it.</p></header>
<p><a class="button" href="/agents">All agents</a></p>`
  return { title: 'This access has ended', body, pageSession, bare: true, narrow: true }
}
