import type { SourceDeclaration } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { StoredWish } from '../../grants/wishes/wish-store.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { count, day, moment } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { kindTile } from '../frame/kind.ts'
import { form } from '../frame/layout.ts'
import type { Markup } from '../frame/untrusted-text.ts'
import { timesText, wishKind, wishTitle } from './wish-text.ts'

/**
 * A wish with the page where the owner can allow it. Two kinds of wishes have no page: the wish that stands for all
 * others, and a wish for something that does not exist here. Only the owner learns that; the agent gets the same
 * refusal.
 */
export interface ShownWish {
  readonly wish: StoredWish
  readonly path: string | undefined
}

export interface WishesView {
  readonly open: readonly ShownWish[]
  readonly decided: readonly ShownWish[]
  readonly declarations: readonly SourceDeclaration[]
}

/** Max. wishes shown at once. The others are folded. */
const SHOWN = 5

/** The wishes of an agent. Empty if it has none. */
export function wishesPanel(pageSession: PageSession, { open, decided, declarations }: WishesView): Markup | string {
  if (open.length + decided.length === 0) return ''
  const row = (shown: ShownWish) => openRow(pageSession, shown, declarations)
  const more = open.slice(SHOWN)
  return html`<section class="panel flat${open.length === 0 ? '' : ' ask'}" id="wishes" aria-labelledby="asked">
<div class="bar">${icon('bell')}<h2 id="asked">It asked for more</h2></div>
${open.length === 0 ? html`<p class="row small quiet">Nothing that you have not decided.</p>` : html`<ul class="list">${open.slice(0, SHOWN).map(row)}</ul>`}
${more.length === 0 ? '' : html`<details class="wishes-more"><summary class="row">${count(more.length)} more</summary><ul class="list">${more.map(row)}</ul></details>`}
${decided.length === 0 ? '' : html`<details class="wishes-more"><summary class="row small">Denied or silenced (${count(decided.length)}): you aren't asked again</summary><ul class="list">${decided.map((shown) => decidedRow(pageSession, shown, declarations))}</ul></details>`}
</section>`
}

function openRow(
  pageSession: PageSession,
  { wish, path }: ShownWish,
  declarations: WishesView['declarations'],
): Markup {
  const { lacks, lastAt, times } = wish
  return html`<li class="row wrap top-align">${kindTile(wishKind(lacks, declarations))}<div class="grow">
<p><strong>${wishTitle(lacks, declarations)}</strong> <span class="quiet">– ${timesText(wish)}</span></p>
${times === 1 ? '' : html`<p class="small quiet">Last: ${moment(lastAt)}. Refused each time.</p>`}${lacks && path === undefined ? html`<p class="small quiet">You have nothing like it here, so there is nothing to allow.</p>` : ''}</div>
<div class="wish-acts">${path === undefined ? '' : html`<a class="button small" href="${path}">Allow…</a>`}${decideForms(pageSession, wish)}</div></li>`
}

/** The two ways to say no. After either, the owner is not asked again. */
function decideForms(pageSession: PageSession, { wishId, lacks }: StoredWish): Markup {
  const path = `/agents/wishes/${wishId}`
  const silence = lacks ? 'Silence' : 'Silence all others'
  return html`${lacks ? form(pageSession, { action: `${path}/deny`, purpose: `deny:${wishId}` }, html`<button class="button plain small">Deny</button>`) : ''}${form(pageSession, { action: `${path}/silence`, purpose: `silence:${wishId}` }, html`<button class="button ghost small">${silence}</button>`)}`
}

function decidedRow(pageSession: PageSession, { wish }: ShownWish, declarations: WishesView['declarations']): Markup {
  const { wishId, lacks, state, decidedAt } = wish
  return html`<li class="row wrap">${kindTile(wishKind(lacks, declarations))}<div class="grow"><p>${wishTitle(lacks, declarations)}</p>
<p class="small quiet">${state === 'denied' ? 'Denied' : 'Silenced'}${decidedAt === undefined ? '' : html` on ${day(decidedAt)}`}. It stays refused.</p></div>
<div class="wish-acts">${form(pageSession, { action: `/agents/wishes/${wishId}/forget`, purpose: `forget:${wishId}` }, html`<button class="button plain small">Ask me again</button>`)}</div></li>`
}
