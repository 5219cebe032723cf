import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { grantsOf } from '../../grants/widening/access.ts'
import { isGranted, isOffered, offerOf } from '../../grants/widening/offer.ts'
import type { StoredWish } from '../../grants/wishes/wish-store.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import type { ShownWish, WishesView } from './wishes-panel.ts'

const DONE = { deny: 'wish_denied', silence: 'wish_silenced', forget: 'wish_forgotten' } as const

/** POST /agents/wishes/{id}/deny, /silence and /forget */
export function decideOnWish(context: Context, decision: keyof typeof DONE): Handler<HttpEnvironment> {
  return async (c) => {
    const wishId = c.req.param('id')!
    await readVerifiedForm(c, `${decision}:${wishId}`)
    const { subjectId } = c.get('authority')
    const wish = await context.wishes.require(subjectId, wishId)
    if (decision === 'forget') await context.wishes.forget(subjectId, wish.clientId, wish.lacks)
    else await context.wishes.decide(subjectId, wish, decision === 'deny' ? 'denied' : 'silenced')
    const referer = URL.parse(c.req.header('referer') ?? '')
    const back = referer?.pathname === '/' ? '/' : await agentPath(context, subjectId, wish)
    return c.redirect(`${back}?done=${DONE[decision]}`, 303)
  }
}

/** The page of the access that a wish is about, or of the agent if that access has ended. */
export async function agentPath(
  context: Context,
  subjectId: string,
  { clientId, accessId }: Pick<StoredWish, 'clientId' | 'accessId'>,
): Promise<string> {
  const access = await context.widening.current(subjectId, accessId).catch(() => undefined)
  return access ? `/agents/${access.kind}s/${access.id}` : `/agents/clients/${encodeURIComponent(clientId)}`
}

/** The wishes of one agent, without those that a later decision has fulfilled. */
export async function wishesOf(context: Context, subjectId: string, clientId: string): Promise<WishesView> {
  const all = await context.wishes.list(subjectId, { clientId })
  const shown = await shownWishes(context, subjectId, all)
  return {
    open: shown.filter(({ wish }) => wish.state === 'open'),
    decided: shown.filter(({ wish }) => wish.state !== 'open'),
    declarations: await context.storage.sources.list(subjectId),
  }
}

/** Wishes of accesses that still exist and still lack the requested part, with the page that allows it. */
export async function shownWishes(
  context: Context,
  subjectId: string,
  wishes: readonly StoredWish[],
): Promise<ShownWish[]> {
  const accesses = new Map(
    await Promise.all(
      [...new Set(wishes.map(({ accessId }) => accessId))].map(
        async (id) => [id, await context.widening.current(subjectId, id).catch(() => undefined)] as const,
      ),
    ),
  )
  const sources = await context.sources.all(subjectId)
  const offers = new Map([...accesses].map(([id, access]) => [id, access ? offerOf(sources, access) : []]))
  return wishes.flatMap((wish): ShownWish[] => {
    const { lacks, accessId } = wish
    const access = accesses.get(accessId)
    if (wish.state !== 'open') return [{ wish, path: undefined }]
    if (!access || (lacks && isGranted(lacks, grantsOf(access)))) return []
    const isHere = lacks !== undefined && isOffered(offers.get(accessId)!, lacks)
    return [{ wish, path: isHere ? context.wishes.pathOf({ accessId: access.id, lacks }) : undefined }]
  })
}
