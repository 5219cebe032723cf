import type { Grant, StreamGrant } from '@pdpp/protocol'
import { html } from 'hono/html'
import { grantedConnections } from '../../grants/authority.ts'
import { isUnused } from '../../grants/summary/access-warnings.ts'
import { type AgentAccess, accessPath } from '../../grants/summary/agent-access.ts'
import { ago, day, dayText } from '../frame/dates.ts'
import { named } from '../frame/plot.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

const MAX_NAMED = 6

/** One row of a list: the agent, what it may read, since when, and when it was last used. */
export function accessRow(access: AgentAccess): Markup {
  const { name, clientId, status, createdAt, lastUsedAt, expiresAt, grants } = access
  const now = Date.now()
  return html`<li><div class="what">
<span><a class="row-title" href="${accessPath(access)}">${named(name, clientId)}</a> ${statusBadge(access, now)}</span>
<span class="small">${reach(grants.map(({ grant }) => grant))}</span>
<span class="small quiet">Given ${day(createdAt)} · ${lastUsedAt === undefined ? 'never used' : html`last used ${ago(lastUsedAt, now)}`}${
    expiresAt === undefined || status === 'revoked'
      ? ''
      : html` · ${expiresAt <= now ? 'ended' : 'ends'} ${day(expiresAt)}`
  }</span></div></li>`
}

export function statusBadge(access: AgentAccess, now: number): Markup | string {
  const { status } = access
  if (status === 'paused') return html`<span class="badge warn">paused</span>`
  if (status === 'expired') return html`<span class="badge">ended</span>`
  if (status === 'revoked') return html`<span class="badge">revoked</span>`
  return isUnused(access, now) ? html`<span class="badge warn">not used</span>` : ''
}

/** "mail (home): messages, labels; notes (diary): notes" */
function reach(grants: readonly Grant[]): Markup {
  return html`${grants
    .slice(0, MAX_NAMED)
    .map(
      (grant, index) =>
        html`${index === 0 ? '' : '; '}${listed(grantedConnections(grant))}: ${listed(grant.streams.map(({ name }) => name))}`,
    )}${grants.length > MAX_NAMED ? ` and ${grants.length - MAX_NAMED} more` : ''}`
}

export function listed(names: readonly string[], max = MAX_NAMED): Markup {
  return html`${names.slice(0, max).map((name, index) => html`${index === 0 ? '' : ', '}${untrustedText(name, 60)}`)}${names.length > max ? ` and ${names.length - max} more` : ''}`
}

/** "from 1 January 2026, before 1 February 2026", or an empty string without limits. */
export function period({ time_constraint: time }: StreamGrant): string {
  const text = (at: string) => dayText(Date.parse(at))
  return [
    ...(time?.since === undefined ? [] : [`from ${text(time.since)}`]),
    ...(time?.until === undefined ? [] : [`before ${text(time.until)}`]),
  ].join(', ')
}
