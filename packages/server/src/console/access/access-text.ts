import { accessSentence, type StreamGrant } from '@pdpp/protocol'
import { html } from 'hono/html'
import { grantedConnections } from '../../grants/authority.ts'
import type { StoredGrant } from '../../grants/grant-store.ts'
import { type GrantStatus, grantStatus } from '../../grants/refusal.ts'
import { isUnused } from '../../grants/summary/access-warnings.ts'
import { type AgentAccess, accessPath } from '../../grants/summary/agent-access.ts'
import { ago, counted, day, dayText } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { agentTile } from '../frame/kind.ts'
import { named } from '../frame/plot.ts'
import { preferences } from '../frame/preferences.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

const MAX_NAMED = 6
const SENTENCE_CHARS = 600

/** The owner's names of connections, by id. */
export type SourceNames = ReadonlyMap<string, string>

export const agentName = ({ name, clientId }: Pick<AgentAccess, 'name' | 'clientId'>): string =>
  name?.trim() || clientId

/** Says in one sentence what the agent may read. */
export function accessWords(access: AgentAccess, names: SourceNames): Markup {
  const { status } = access
  const described = status === 'revoked' ? access.grants : grantsWith(access, status)
  const sources = sourcesOf(described, names)
  const sentence = accessSentence({
    ...{ agent: agentName(access), sources, status, isPart: isPart(access) },
    pausedSources: status === 'active' ? sourcesOf(grantsWith(access, 'paused'), names) : [],
    grants: described.map(({ grant }) => grant),
    timeZone: preferences().zone,
  })
  return untrustedText(sentence, SENTENCE_CHARS)
}

/** True if this is one grant of a package. Then the agent may read more than this. */
export const isPart = ({ kind, grants }: AgentAccess): boolean =>
  kind === 'grant' && grants.some(({ packageId }) => packageId !== undefined)

/** The grants of a package may differ: the owner can pause or revoke one while the agent still reads the others. */
function grantsWith({ grants }: AgentAccess, status: GrantStatus): readonly StoredGrant[] {
  const now = Date.now()
  return grants.filter((stored) => grantStatus(stored, now) === status)
}

const sourcesOf = (grants: readonly StoredGrant[], names: SourceNames): string[] =>
  [...new Set(grants.flatMap(({ grant }) => grantedConnections(grant)))].map((id) => names.get(id) ?? id)

/** One row of a list: the agent, what it may read, since when, and when it was last used. */
export function accessRow(access: AgentAccess, names: SourceNames, wishes = 0): Markup {
  const { clientId, status, createdAt, lastUsedAt, expiresAt } = access
  const now = Date.now()
  return html`<li class="row top-align">${agentTile(agentName(access))}<div class="grow">
<p><a class="row-title" href="${accessPath(access)}">${named(access.name, clientId)}</a> ${statusBadge(access, now)}${wishes === 0 ? '' : html` <a class="badge warn" href="${accessPath(access)}#wishes">${icon('bell')}${counted(wishes, 'wish', 'wishes')}</a>`}</p>
<p class="small">${accessWords(access, names)}</p>
<p class="small dim">Since ${day(createdAt)} · ${lastUsedAt === undefined ? 'never used' : html`last used ${ago(lastUsedAt, now)}`}${
    expiresAt === undefined || status === 'revoked'
      ? ''
      : html` · ${expiresAt <= now ? 'ended' : 'ends'} ${day(expiresAt)}`
  }</p></div></li>`
}

export function statusBadge(access: AgentAccess, now: number): Markup | string {
  const { status } = access
  if (status === 'paused') return html`<span class="badge warn">paused</span>`
  if (status === 'expired') return html`<span class="badge">ended</span>`
  if (status === 'revoked') return html`<span class="badge">revoked</span>`
  return isUnused(access, now) ? html`<span class="badge warn">not used</span>` : ''
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
