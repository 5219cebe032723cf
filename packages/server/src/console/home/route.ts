import type { Handler } from 'hono'
import { furthestMonth, type MonthCount, monthOf, monthsAfter, summed } from '../../aggregates/monthly-counts.ts'
import type { Context } from '../../context.ts'
import { authoritiesOf } from '../../grants/authority.ts'
import { endsSoon, isUnused } from '../../grants/summary/access-warnings.ts'
import { type AgentAccess, currentAccess } from '../../grants/summary/agent-access.ts'
import type { StoredWish } from '../../grants/wishes/wish-store.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import { wantsPage } from '../../http/response/error-response.ts'
import { discoveryIndex } from '../../routes/discovery.ts'
import type { Http, HttpEnvironment } from '../../routes/environment.ts'
import { requireOwner } from '../../routes/guards/owner-session.ts'
import { freshness, type SchemaSource } from '../../schema/schema-service.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { clientNames } from '../access/client-names.ts'
import { sourceNames } from '../access/source-names.ts'
import { agentPath, shownWishes } from '../access/wish-route.ts'
import { startOfDay, zonedDay } from '../frame/local-time.ts'
import { sendPage } from '../frame/send.ts'
import { type AskedForMore, type Attention, attentions, type ReadToday } from './attention.ts'
import { firstRunPage } from './first-run-page.ts'
import { isFirstRun } from './first-run-route.ts'
import { type HomePage, homePage } from './page.ts'
import { summariesOf } from './source-summary.ts'

/** Max. milliseconds to count for the plot. */
const PLOTS_MS = 100
/** Months in the plot, back from the latest record. */
const MONTHS = 120
/** Max. pairs of an agent and a part that are counted for today. */
const MAX_TALLIED = 1000
/** Max. agents of today whose names are looked up. */
const MAX_NAMED = 100
/** Max. notes of one kind, so that no kind pushes another off the page. */
const MAX_ATTENTION = 4

/** GET /: a page for browsers, the discovery index for everything else. */
export function start(context: Context): Handler<HttpEnvironment> {
  const page = requireOwner(context)
  return async (c) => {
    c.header('Vary', 'Accept')
    if (!wantsPage(c)) return c.json(discoveryIndex())
    await page(c, async () => {
      c.res = (await isFirstRun(context))
        ? await sendPage(c, firstRunPage(c.get('pageSession')))
        : await sendPage(c, homePage(await homeView(context, c)))
    })
    return c.res
  }
}

async function homeView(context: Context, c: Http): Promise<HomePage> {
  const authority = c.get('authority')
  const { subjectId } = authority
  const sources = await context.schema.read(authoritiesOf(authority), {})
  const { accesses: agents, more } = await currentAccess(context.storage, subjectId)
  const today = await readToday(context, subjectId)
  const { brokenAt } = await context.receipts.chain.state(subjectId, 5)
  return {
    pageSession: c.get('pageSession'),
    sources: summariesOf(sources),
    agents,
    names: await sourceNames(context, subjectId),
    full: (await context.storage.authorizations.fullAccess(subjectId, Date.now())).length,
    moreAgents: more,
    today,
    isLogIntact: brokenAt === undefined,
    months: await monthsOf(context, subjectId, sources),
    attention: await attentionOf(context, c.get('pageSession'), subjectId, { sources, agents, today }),
    done: new PageQuery(c).text('done'),
  }
}

/** Items by month over all sources. Counts are cached, so a large store shows more each time the page is loaded. */
async function monthsOf(context: Context, subjectId: string, sources: readonly SchemaSource[]) {
  const owner = { kind: 'owner', subjectId } as const
  const feeds = sources.flatMap(({ named, streams }) =>
    named.flatMap(({ connectionId }) => streams.map((stream) => ({ ...stream, connectionId }))),
  )
  const started = performance.now()
  const counts: (readonly MonthCount[])[] = []
  for (const { declaration, statistics, connectionId } of feeds) {
    if (performance.now() - started > PLOTS_MS) break
    const latest = statistics.find((one) => one.connectionId === connectionId)?.latest
    if (latest === undefined) continue
    const scope = await context.records.scope(owner, { stream: declaration.name, connectionId })
    const last = Math.min(monthOf(latest / 1000), furthestMonth())
    counts.push(await context.monthlyCounts.months(scope, monthsAfter(last, 1 - MONTHS)))
  }
  return summed(counts)
}

async function readToday(context: Context, subjectId: string): Promise<ReadToday[]> {
  const since = startOfDay(zonedDay(Date.now()))
  const tally = await context.storage.receipts.tally(subjectId, { since, limit: MAX_TALLIED })
  // Receipts without a client are the owner's backups and exports. They are not reads of an agent.
  const byClient = [...Map.groupBy(tally, ({ clientId }) => clientId ?? '')]
    .map(([clientId, rows]) => ({
      clientId,
      reads: clientId === '' ? 0 : rows.reduce((sum, { reads }) => sum + reads, 0),
      refused: rows.reduce((sum, { refused }) => sum + refused, 0),
      streams: [...new Set(rows.flatMap(({ stream, shown }) => (stream === undefined || shown === 0 ? [] : [stream])))],
    }))
    .filter(({ reads, refused }) => reads + refused > 0)
    .sort((a, b) => b.reads + b.refused - (a.reads + a.refused))
  const named = byClient.slice(0, MAX_NAMED).map(({ clientId }) => clientId)
  const names = await clientNames(context, subjectId, named)
  return byClient.map((one) => ({ ...one, name: names.get(one.clientId) }))
}

interface Watched {
  readonly sources: readonly SchemaSource[]
  readonly agents: readonly AgentAccess[]
  readonly today: readonly ReadToday[]
}

async function attentionOf(
  context: Context,
  pageSession: PageSession,
  subjectId: string,
  { sources, agents, today }: Watched,
): Promise<{ shown: readonly Attention[]; more: number }> {
  const now = Date.now()
  const [chain, hasPassword] = await Promise.all([
    context.receipts.chain.state(subjectId, 5),
    context.signIn.hasPassword(subjectId),
  ])
  const wishes = await context.wishes.list(subjectId)
  const withWishes = new Set(wishes.map(({ clientId }) => clientId))
  const asked = await askedForMore(context, subjectId, wishes)
  const kinds = [
    context.damage.at === undefined ? [] : [attentions.damaged()],
    chain.brokenAt === undefined ? [] : [attentions.broken()],
    asked.map((one) => attentions.asked(pageSession, one)),
    // Refusals are left out if the agent has wishes, because wishes say more, and a decided wish should not come up
    // again.
    today.filter(({ refused, clientId }) => refused > 0 && !withWishes.has(clientId)).map(attentions.refused),
    agents.filter((agent) => endsSoon(agent, now)).map(attentions.endsSoon),
    sources.flatMap(staleConnections),
    agents.filter((agent) => isUnused(agent, now)).map(attentions.unused),
    hasPassword ? [] : [attentions.noPassword()],
  ]
  const shown = kinds.flatMap((kind) => kind.slice(0, MAX_ATTENTION))
  return { shown, more: kinds.flat().length - shown.length }
}

/** The open wishes, one entry per agent, so that an agent cannot fill the page. */
async function askedForMore(
  context: Context,
  subjectId: string,
  wishes: readonly StoredWish[],
): Promise<AskedForMore[]> {
  const waiting = wishes.filter(({ state }) => state === 'open')
  const open = await shownWishes(context, subjectId, waiting)
  const byClient = [...Map.groupBy(open, ({ wish }) => wish.clientId)].slice(0, MAX_NAMED)
  const clientIds = byClient.map(([clientId]) => clientId)
  const names = await clientNames(context, subjectId, clientIds)
  const declarations = await context.storage.sources.list(subjectId)
  return Promise.all(
    byClient.map(async ([clientId, own]) => {
      const latest = own.find(({ path }) => path !== undefined) ?? own[0]!
      const path = await agentPath(context, subjectId, latest.wish)
      return { latest, others: own.length - 1, name: names.get(clientId), declarations, agentPath: path }
    }),
  )
}

/** Connections whose source could not be read at the last attempt. */
function staleConnections({ named, streams }: SchemaSource): Attention[] {
  return named
    .filter(({ connectionId }) => {
      const own = streams.flatMap(({ statistics }) => statistics.filter((one) => one.connectionId === connectionId))
      return freshness(own).status === 'stale'
    })
    .map(({ connectionId, displayName }) => attentions.stale(connectionId, displayName))
}
