import type { SourceDeclaration } from '@pdpp/protocol'
import { html } from 'hono/html'
import { type AgentAccess, accessPath } from '../../grants/summary/agent-access.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { agentName } from '../access/access-text.ts'
import { timesText, wishMarkup } from '../access/wish-text.ts'
import type { ShownWish } from '../access/wishes-panel.ts'
import { ago, count, counted, dayText } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { agentTile } from '../frame/kind.ts'
import { form } from '../frame/layout.ts'
import { named } from '../frame/plot.ts'
import { preferences } from '../frame/preferences.ts'
import type { Markup } from '../frame/untrusted-text.ts'

export interface ReadToday {
  readonly clientId: string
  readonly name: string | undefined
  readonly reads: number
  readonly refused: number
  readonly streams: readonly string[]
}

/** Something that needs the owner: its description, and where to deal with it. */
export interface Attention {
  readonly tile: Markup
  readonly text: Markup
  readonly detail: Markup | string
  readonly action?: { readonly href: string; readonly text: string }
  /** A second way to deal with it, as a form. */
  readonly answer?: Markup
}

/** The latest wish of an agent, and how many others it has. */
export interface AskedForMore {
  readonly latest: ShownWish
  readonly others: number
  readonly name: string | undefined
  readonly declarations: readonly SourceDeclaration[]
  readonly agentPath: string
}

export function needsYou({ shown, more }: { readonly shown: readonly Attention[]; readonly more: number }): Markup {
  return html`<section class="panel flat ask" aria-labelledby="needs"><div class="bar">${icon('bell')}<h2 id="needs">Needs you</h2></div>
<ul class="list">${shown.map(
    ({ tile, text, detail, action, answer }) =>
      html`<li class="row wrap">${tile}<div class="grow"><p>${text}</p>${detail === '' ? '' : html`<p class="small quiet">${detail}</p>`}</div>${action === undefined ? '' : html`<a class="button plain small act" href="${action.href}">${action.text}</a>`}${answer ?? ''}</li>`,
  )}
${more === 0 ? '' : html`<li class="row small quiet">And ${count(more)} more like these: see <a href="/agents">Agents</a> and <a href="/activity?outcome=refused">what was refused</a>.</li>`}</ul></section>`
}

const warningTile = html`<span class="tile">${icon('warning')}</span>`
const agentLink = (access: AgentAccess) =>
  html`<a class="row-title" href="${accessPath(access)}">${named(access.name, access.clientId, 60)}</a>`

export const attentions = {
  noPassword: (): Attention => ({
    tile: html`<span class="tile">${icon('lock')}</span>`,
    text: html`You have no password yet.`,
    detail: html`Until you set one, <code>${preferences().command} owner login</code> prints a link that signs you in.`,
    action: { href: '/owner/password', text: 'Set a password' },
  }),
  unused: (access: AgentAccess): Attention => ({
    tile: agentTile(agentName(access)),
    text: html`${agentLink(access)} ${access.lastUsedAt === undefined ? 'never used its access' : html`last used its access ${ago(access.lastUsedAt, Date.now())}`}.`,
    detail: 'Does it still need it?',
    action: { href: accessPath(access), text: 'Review' },
  }),
  endsSoon: (access: AgentAccess): Attention => ({
    tile: agentTile(agentName(access)),
    text: html`${agentLink(access)} loses its access ${ago(access.expiresAt!, Date.now())}.`,
    detail: `On ${dayText(access.expiresAt!)}.`,
    action: { href: accessPath(access), text: 'Review' },
  }),
  asked: (pageSession: PageSession, { latest, others, name, declarations, agentPath }: AskedForMore): Attention => {
    const { wish, path } = latest
    const { wishId, clientId, lacks } = wish
    const deny = html`<button class="button ghost small">Deny</button>`
    return {
      tile: agentTile(name ?? clientId),
      text: html`<a class="row-title" href="${agentPath}#wishes">${named(name, clientId, 60)}</a> asked for ${wishMarkup(lacks, declarations)}${others === 0 ? '' : ` and for ${counted(others, 'other thing')}`}.`,
      detail: html`It asked ${timesText(wish)}, and was refused${wish.times === 1 ? '' : ' each time'}.`,
      // With several wishes, Deny would only answer the one that is named here. The agent's page has an answer for
      // each.
      action: { href: (others === 0 ? path : undefined) ?? `${agentPath}#wishes`, text: 'Review' },
      ...(lacks === undefined || others > 0
        ? {}
        : { answer: form(pageSession, { action: `/agents/wishes/${wishId}/deny`, purpose: `deny:${wishId}` }, deny) }),
    }
  },
  refused: ({ name, clientId, refused }: ReadToday): Attention => ({
    tile: agentTile(name ?? clientId),
    text: html`<a class="row-title" href="/activity?client=${encodeURIComponent(clientId)}&amp;outcome=refused">${named(name, clientId, 60)}</a> asked for something it may not read.`,
    detail: `It was refused ${refused === 1 ? 'once' : `${count(refused)} times`} today.`,
    action: { href: `/activity?client=${encodeURIComponent(clientId)}&outcome=refused`, text: 'See what' },
  }),
  stale: (connectionId: string, name: string | undefined): Attention => ({
    tile: warningTile,
    text: html`<a class="row-title" href="/browse?connection=${encodeURIComponent(connectionId)}">${named(name, connectionId, 60)}</a> could not be read at the last try.`,
    detail: '',
  }),
  damaged: (): Attention => ({
    tile: warningTile,
    text: html`<strong>Some files are damaged.</strong>`,
    detail: html`Run <code>${preferences().command} doctor</code> to see what is damaged and what to restore.`,
  }),
  broken: (): Attention => ({
    tile: warningTile,
    text: html`<strong>The activity log was altered.</strong>`,
    detail: '',
    action: { href: '/activity', text: 'See where' },
  }),
}
