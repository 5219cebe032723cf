import { html } from 'hono/html'
import { isTraining } from '../../authorization/requests/authorization-details.ts'
import type { Client } from '../../clients/client-store.ts'
import { endOf, grantsOf } from '../../grants/widening/access.ts'
import { type End, endsOf, FIELDS, type Reach, reachesOf } from '../../grants/widening/choice.ts'
import type { WideningDraft } from '../../grants/widening/draft.ts'
import { isFulfilled } from '../../grants/widening/subject.ts'
import type { StoredWish } from '../../grants/wishes/wish-store.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { identityOf } from '../access/client-page.ts'
import { timesText } from '../access/wish-text.ts'
import { confirmation } from '../consent/answer-bar.ts'
import { segments } from '../consent/periods.ts'
import { CONSENT_SCRIPT_PATH } from '../consent/script.ts'
import { counted, dayText } from '../frame/dates.ts'
import { agentTile } from '../frame/kind.ts'
import { form, type Page, problem } from '../frame/layout.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'
import { type PartListView, partList } from './part-list.ts'
import { pausedWords } from './paused.ts'
import { sumOf } from './sum.ts'

export interface WideningView extends PartListView {
  readonly pageSession: PageSession
  readonly client: Client | undefined
  /** The text of the wish; undefined if the owner adds something without a wish. */
  readonly asked: string | undefined
  readonly wish: StoredWish | undefined
  readonly draft: WideningDraft
  readonly action: string
  readonly purpose: string
  readonly shown: string
  /** The page that Cancel leads to. */
  readonly back: string
  readonly notice: string | undefined
}

/** The page for one decision: what an agent may read in addition. It has no navigation, like the consent page. */
export function wideningPage(view: WideningView): Page {
  const { pageSession, subject, asked, action, purpose, shown, notice } = view
  const name = plainText(subject.client.name, 80)
  const title = asked === undefined ? 'Give this agent more' : `${partyOf(view)} asks for ${asked}`
  const body = form(
    pageSession,
    { action, purpose, stacked: true, id: 'consent' },
    html`<button class="hidden-label" name="decision" value="update" tabindex="-1" aria-hidden="true">Update</button>
<input type="hidden" name="shown" value="${shown}">
<div class="consent"><div class="about stack">
<header class="stack tight"><div class="asker">${agentTile(name, 'big')}<div class="who">${who(view)}</div></div>
<h1>${untrustedText(title, 300)}</h1>${before(view)}</header>
${periods(view)}</div>
<div class="stack tight what">${notice === undefined ? '' : problem(notice)}
${partList(view)}</div></div>
${answer(view)}`,
  )
  return {
    title: asked === undefined ? 'Give this agent more' : 'Allow more?',
    body: html`${body}<p id="announce" class="hidden-label" role="status"></p>`,
    ...{ pageSession, bare: true, script: CONSENT_SCRIPT_PATH },
  }
}

/**
 * Names the agent in the heading. A name that the agent chose itself could be a begging sentence, so it is shown below.
 */
function partyOf({ client, subject }: WideningView): string {
  if (client?.kind === 'document') return new URL(client.clientId).host
  return client === undefined || isNamedByAgent(client) ? 'An agent' : plainText(subject.client.name, 80)
}

const isNamedByAgent = ({ kind }: Client): boolean => kind !== 'owner_made' && kind !== 'pre_registered'

function who({ client, subject, wish }: WideningView): Markup {
  const times = wish && wish.times > 0 ? html`<p class="small quiet">Asked ${timesText(wish)}</p>` : ''
  const name =
    client === undefined || isNamedByAgent(client)
      ? html`<p>It calls itself “${untrustedText(subject.client.name, 80)}”</p>`
      : html`<p>${untrustedText(subject.client.name, 80)}</p>`
  return html`${name}${client ? html`<p class="small">${identityOf(client)}</p>` : ''}${times}`
}

function before({ subject: { access, offer }, wish, draft, asked }: WideningView): Markup {
  const sources = access ? grantsOf(access).length : 0
  const isDecided = wish?.state === 'denied' || wish?.state === 'silenced'
  return html`<p class="quiet">It already reads ${counted(sources, 'source')}.${offer.length === 0 ? '' : ' This adds to that and changes nothing else.'}${asked === undefined ? ' Only what you tick is added.' : ''} ${pausedWords(access?.members ?? [])}</p>
${isDecided ? html`<div class="note warn small"><p><strong>You ${wish.state} this before.</strong> It stays refused unless you allow it now.</p></div>` : ''}
${draft.becomesPackage ? html`<div class="note small"><p>From then on it reads several sources, and each read has to name one (<code>connection_id</code>). Agents are told so and go on by themselves. A script of yours may need a change.</p></div>` : ''}`
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

function periods(view: WideningView): Markup {
  const { subject, choice } = view
  const { offer, access, lacks } = subject
  const reaches = reachesOf(offer, access, lacks)
  const isDated = offer.some(
    ({ kind, stream }) => kind === 'time' || (kind === 'stream' && stream.consent_time_field != null),
  )
  const ends = endsOf(offer, access)
  const reachText = (reach: Reach) =>
    reach === 'asked' ? `From ${dayText(Date.parse((lacks as { since: string }).since))}` : REACHES[reach]
  return html`<div class="periods">${
    isDated && reaches.length > 1
      ? segments({
          ...{ legend: 'How far back?', name: FIELDS.reach, value: choice.reach },
          options: reaches.map((reach) => [reach, reachText(reach)] as const),
        })
      : ''
  }${
    ends.length > 1
      ? segments({
          ...{ legend: 'For how long?', name: FIELDS.end, value: choice.end },
          options: ends.map((end) => [end, ENDS[end]] as const),
        })
      : ''
  }</div>
<p class="small quiet">${restText(view, ends.length > 1)}</p>`
}

/** Says when the added access ends, if the owner chooses no other end. */
function restText({ subject: { access, offer } }: WideningView, hasChoice: boolean): string {
  const last = access && endOf(access)
  const rest = last === undefined ? 'has no end date' : `ends on ${dayText(Date.parse(last))}`
  if (offer.length === 0) return ''
  if (!hasChoice) return `It ends with the rest, which ${rest}.`
  if (offer.every(({ member }) => member === undefined)) return `The rest ${rest}.`
  return `The rest ${rest}. More of a source that it reads already ends with it.`
}

function answer(view: WideningView): Markup {
  const { subject, asked, choice, draft, preview, back } = view
  const training = isTraining(subject.purpose.purposeCode)
  const canAllow = subject.offer.length > 0
  const isDone = isFulfilled(subject)
  const sentence = canAllow ? sumOf(subject, choice, draft, preview) : 'There is nothing to allow.'
  return html`<section class="answer" aria-label="Your answer">
${training && canAllow ? confirmation('ai_training', 'Yes, an AI model may be trained with this data too. What a model has learned cannot be taken back.') : ''}
<p class="say" id="sum">${untrustedText(sentence, 800)}</p>
<div class="acts">${asked === undefined || isDone ? html`<a class="button plain big" href="${back}">${isDone ? 'Close' : 'Cancel'}</a>` : html`<button class="button ghost big" id="silence" name="decision" value="silence" formnovalidate title="Refuse it and hide it for good">Silence</button><button class="button plain big" id="deny" name="decision" value="deny" formnovalidate>Deny</button>`}
${canAllow ? html`<button class="button plain big without-script" id="update" name="decision" value="update">Preview</button><button class="button big" id="allow" name="decision" value="approve"${draft.problems.length === 0 ? '' : html` data-empty`}>Allow</button>` : ''}</div>
</section>`
}

/** The access has ended, so there is nothing to add to. */
export function endedPage(pageSession: PageSession): Page {
  const body = html`<header class="stack tight"><h1>This access has ended</h1><p class="quiet">Nothing can be added to it. The agent has to ask you again for all of it.</p></header>
<p><a class="button" href="/agents">All agents</a></p>`
  return { title: 'This access has ended', body, pageSession, bare: true, narrow: true }
}
