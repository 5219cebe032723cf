import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import {
  currentAccess,
  grantAccess,
  listGrants,
  listPackages,
  packageAccess,
} from '../../grants/summary/agent-access.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { sendPage } from '../frame/send.ts'
import { clientPage, clientsPage } from './client-page.ts'
import { packagePage } from './package-page.ts'
import { accessPage, type NamedFullAccess } from './page.ts'
import { sourceNames } from './source-names.ts'
import { shownWishes, wishesOf } from './wish-route.ts'

/** Agents per page. */
const CLIENTS = 50
/** Max. agents without access in the fold on the page of agents with access. */
const FOLDED = 10
/** Max. packages and max. grants on the page of one agent. */
const MAX_ACCESSES = 50

/** GET /access */
export function showAccess(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new PageQuery(c)
    const { subjectId } = c.get('authority')
    const [grantsBefore, packagesBefore] = [query.text('grants'), query.text('packages')]
    if (grantsBefore !== undefined) await context.grants.require(subjectId, grantsBefore)
    if (packagesBefore !== undefined) await context.packages.require(subjectId, packagesBefore)
    const none = { accesses: [], next: undefined }
    // Later pages list either packages or grants.
    const packages = grantsBefore === undefined ? await listPackages(context.storage, subjectId, packagesBefore) : none
    const grants = packagesBefore === undefined ? await listGrants(context.storage, subjectId, grantsBefore) : none
    const older = {
      packages: packages.next && `/agents?packages=${packages.next}`,
      grants: grants.next && `/agents?grants=${grants.next}`,
    }
    const full = (grantsBefore ?? packagesBefore) ? [] : await fullAccess(context, subjectId)
    const names = await sourceNames(context, subjectId)
    const done = query.text('done')
    const wishes = await openWishCounts(context, subjectId)
    return sendPage(
      c,
      accessPage({ pageSession: c.get('pageSession'), full, packages, grants, names, wishes, older, done }),
    )
  }
}

async function openWishCounts(context: Context, subjectId: string): Promise<ReadonlyMap<string, number>> {
  const open = await shownWishes(context, subjectId, await context.wishes.list(subjectId, { state: 'open' }))
  return new Map([...Map.groupBy(open, ({ wish }) => wish.clientId)].map(([id, own]) => [id, own.length]))
}

async function fullAccess(context: Context, subjectId: string): Promise<NamedFullAccess[]> {
  const found = await context.storage.authorizations.fullAccess(subjectId, Date.now())
  return Promise.all(
    found.map(async (one) => ({ ...one, name: (await context.clients.find(one.clientId))?.metadata.client_name })),
  )
}

/** GET /agents/packages/{id} */
export function showPackage(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const found = await context.packages.require(subjectId, c.req.param('id')!)
    const access = await packageAccess(context.storage, subjectId, found)
    const members = await Promise.all(found.members.map((member) => grantAccess(context.storage, subjectId, member)))
    const names = await sourceNames(context, subjectId)
    const wishes = await wishesOf(context, subjectId, found.clientId)
    const done = new PageQuery(c).text('done')
    return sendPage(c, packagePage({ pageSession: c.get('pageSession'), access, members, names, wishes, done }))
  }
}

/** POST /agents/packages/{id}/revoke */
export function revokePackage(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const id = c.req.param('id')!
    await readVerifiedForm(c, `revoke:${id}`)
    const { subjectId } = c.get('authority')
    // A form sent twice is not an error: the package is already revoked.
    if ((await context.packages.require(subjectId, id)).revokedAt === undefined)
      await context.packages.revoke(subjectId, id)
    return c.redirect(`/agents/packages/${id}?done=revoked`, 303)
  }
}

/** POST /agents/packages/{id}/pause and /resume */
export function changePackage(context: Context, change: 'pause' | 'resume'): Handler<HttpEnvironment> {
  return async (c) => {
    const id = c.req.param('id')!
    await readVerifiedForm(c, `${change}:${id}`)
    await context.packages[change](c.get('authority').subjectId, id)
    return c.redirect(`/agents/packages/${id}?done=${change}d`, 303)
  }
}

/** POST /agents/pause-all and /agents/resume-all */
export function changeAll(context: Context, change: 'pause' | 'resume'): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, `${change}-all`)
    const { subjectId } = c.get('authority')
    const { accesses } = await currentAccess(context.storage, subjectId)
    // Uses the stores, because they skip an access that the owner has meanwhile ended in another tab. The services
    // would refuse it.
    for (const { kind, id } of accesses) {
      const store = kind === 'package' ? context.storage.packages : context.storage.grants
      await (change === 'pause' ? store.pause(subjectId, id, Date.now()) : store.resume(subjectId, id))
    }
    return c.redirect(`/agents?done=all_${change}d`, 303)
  }
}

/** GET /agents/clients */
export function showClients(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new PageQuery(c)
    const before = query.text('before')
    const isOfUnused = query.text('unused') !== undefined
    if (before !== undefined) await context.clients.require(before)
    const found = await context.clients.list({ limit: CLIENTS + 1, before, used: !isOfUnused })
    const clients = found.slice(0, CLIENTS)
    const next = new URLSearchParams({ ...(isOfUnused ? { unused: '1' } : {}), before: clients.at(-1)?.clientId ?? '' })
    const older = found.length > CLIENTS ? `/agents/clients?${next}` : undefined
    const folded =
      isOfUnused || before !== undefined ? [] : await context.clients.list({ limit: FOLDED + 1, used: false })
    const allUnused = folded.length > FOLDED ? '/agents/clients?unused=1' : undefined
    const unused = folded.slice(0, FOLDED)
    return sendPage(
      c,
      clientsPage({ pageSession: c.get('pageSession'), clients, older, isOfUnused, unused, allUnused }),
    )
  }
}

/** GET /agents/clients/{id} */
export function showClient(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const client = await context.clients.require(c.req.param('id')!)
    const { clientId } = client
    // Read unrevoked access first, so that many revoked ones cannot push it off the page.
    const lists = [true, false].map((unrevoked) => ({ limit: MAX_ACCESSES, clientId, unrevoked }))
    const packages = uniqueById(
      (await Promise.all(lists.map((options) => context.storage.packages.list(subjectId, options)))).flat(),
      ({ packageId }) => packageId,
    )
    const grants = uniqueById(
      (await Promise.all(lists.map((options) => context.storage.grants.list(subjectId, options)))).flat(),
      ({ grant }) => grant.grant_id,
    )
    const alone = grants.filter(({ packageId, replacedBy }) => packageId === undefined && replacedBy === undefined)
    const accesses = await Promise.all([
      ...packages.map((one) => packageAccess(context.storage, subjectId, one)),
      ...alone.map((one) => grantAccess(context.storage, subjectId, one)),
    ])
    const full = (await fullAccess(context, subjectId)).find((one) => one.clientId === clientId)
    const done = new PageQuery(c).text('done')
    const isListed =
      client.kind !== 'pre_registered' && (await context.authorization.ownerAgents.mayAsk(subjectId, client))
    const names = await sourceNames(context, subjectId)
    const wishes = await wishesOf(context, subjectId, clientId)
    return sendPage(
      c,
      clientPage({ pageSession: c.get('pageSession'), client, full, isListed, accesses, names, wishes, done }),
    )
  }
}

const uniqueById = <T>(list: readonly T[], id: (one: T) => string): T[] => [
  ...new Map(list.map((one) => [id(one), one])).values(),
]

/** POST /agents/clients/{id}/end */
export function endClient(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { clientId } = await context.clients.require(c.req.param('id')!)
    await readVerifiedForm(c, `end-client:${clientId}`)
    await context.clientAccess.end(c.get('authority').subjectId, clientId)
    return c.redirect(`/agents/clients/${encodeURIComponent(clientId)}?done=ended`, 303)
  }
}

/** POST /agents/clients/{id}/unlist */
export function unlistClient(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { clientId } = await context.clients.require(c.req.param('id')!)
    await readVerifiedForm(c, `unlist-client:${clientId}`)
    await context.authorization.ownerAgents.remove(c.get('authority').subjectId, clientId)
    return c.redirect(`/agents/clients/${encodeURIComponent(clientId)}?done=unlisted`, 303)
  }
}
