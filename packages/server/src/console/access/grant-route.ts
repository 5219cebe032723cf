import { type Grant, PdppError, requiredFields, type SourceDeclaration } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { grantedConnections } from '../../grants/authority.ts'
import type { StoredGrant } from '../../grants/grant-store.ts'
import type { GrantNarrowing } from '../../grants/narrow.ts'
import { grantAccess } from '../../grants/summary/agent-access.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import { RecordUrls } from '../../records/record-url.ts'
import type { Http, HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { MAX_SUBSCRIPTIONS_PER_GRANT } from '../../subscriptions/limits.ts'
import { sendPage } from '../frame/send.ts'
import { type GrantPage, grantPage } from './grant-page.ts'
import type { SampledStream } from './grant-sample.ts'
import { sourceNames } from './source-names.ts'
import type { ShownSubscription } from './subscriptions-panel.ts'
import { wishesOf } from './wish-route.ts'

const SAMPLES = { limit: 3, maxBytes: 200_000 }
/** Max. bytes of the form. It is large, because it has a box for every field of every stream. */
const NARROW_BYTES = 1_000_000

/** GET /agents/grants/{id} */
export function showGrant(context: Context): Handler<HttpEnvironment> {
  return (c) => answer(context, c)
}

/** POST /agents/grants/{id}/pause, /resume and /revoke */
export function changeGrant(context: Context, change: 'pause' | 'resume' | 'revoke'): Handler<HttpEnvironment> {
  const done = { pause: 'paused', resume: 'resumed', revoke: 'revoked' }[change]
  return async (c) => {
    const id = c.req.param('id')!
    await readVerifiedForm(c, `${change}:${id}`)
    const { subjectId } = c.get('authority')
    // If the grant was replaced after the page was opened, change the grant that replaced it.
    const { grant, revokedAt, packageId } = await context.grants.current(subjectId, id)
    // A form sent twice is not an error: the grant is already revoked.
    if (change !== 'revoke' || revokedAt === undefined) await context.grants[change](subjectId, grant.grant_id)
    const part = packageId === undefined || change === 'resume' ? '' : 'part_'
    return c.redirect(`/agents/grants/${grant.grant_id}?done=${part}${done}`, 303)
  }
}

/** POST /agents/grants/{id}/narrow: redirects to the narrower grant that replaces this one. */
export function narrowGrant(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const id = c.req.param('id')!
    const form = await readVerifiedForm(c, `narrow:${id}`, NARROW_BYTES)
    const { subjectId } = c.get('authority')
    const { grant, replacedBy } = await context.grants.require(subjectId, id)
    if (replacedBy !== undefined)
      return answer(context, c, {
        message: 'You changed this access in another tab.',
        nextStep: 'Nothing was changed.',
      })
    const declaration = await context.sources.requireDeclaration(subjectId, grant.source.connector_key)
    try {
      const smaller = await context.grants.narrow(subjectId, id, narrowingOf(grant, declaration, form))
      return c.redirect(`/agents/grants/${smaller.grant.grant_id}?done=narrowed`, 303)
    } catch (error) {
      if (!(error instanceof PdppError) || error.code !== 'invalid_argument') throw error
      return answer(context, c, { message: error.message, nextStep: 'Nothing was changed.', sent: form })
    }
  }
}

async function answer(context: Context, c: Http, failure?: GrantPage['failure']): Promise<Response> {
  const { subjectId } = c.get('authority')
  const stored = await context.grants.require(subjectId, c.req.param('id')!)
  const { grant } = stored
  const access = await grantAccess(context.storage, subjectId, stored)
  const isOver = access.status === 'revoked' || access.status === 'expired'
  const declaration = await context.storage.sources.find(subjectId, grant.source.connector_key)
  const page = grantPage({
    pageSession: c.get('pageSession'),
    access,
    stored,
    names: await sourceNames(context, subjectId),
    client: await context.clients.find(access.clientId),
    sourceName: declaration?.display?.name ?? grant.source.connector_key,
    streams: isOver ? [] : await sampled(context, subjectId, stored),
    subscriptions: await subscriptionsOf(context, subjectId, grant.grant_id),
    wishes: await wishesOf(context, subjectId, access.clientId),
    urls: new RecordUrls(c.get('requestOrigin').origin),
    done: new PageQuery(c).text('done'),
    ...(failure ? { failure } : {}),
  })
  return sendPage(c, page, { status: failure ? 400 : 200 })
}

/** POST /agents/grants/{id}/subscriptions/{subscription}/stop */
export function stopSubscription(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const subscriptionId = c.req.param('subscription')!
    await readVerifiedForm(c, `stop:${subscriptionId}`)
    const { subscription } = await context.subscriptions.stop(c.get('authority').subjectId, subscriptionId)
    return c.redirect(`/agents/grants/${subscription.grantId}?done=subscription_stopped`, 303)
  }
}

async function subscriptionsOf(context: Context, subjectId: string, grantId: string): Promise<ShownSubscription[]> {
  const options = { grantId, limit: MAX_SUBSCRIPTIONS_PER_GRANT }
  const found = await context.subscriptions.listAll(subjectId, options)
  return Promise.all(
    found.map(async ({ subscription }) => ({
      subscription,
      deliveries: await context.subscriptions.deliveries(subscription),
    })),
  )
}

/** Read with the grant itself, as its agent would. */
async function sampled(context: Context, subjectId: string, { grant }: StoredGrant): Promise<SampledStream[]> {
  const authority = { kind: 'client', subjectId, clientId: grant.client.client_id, grant } as const
  const sources = await context.schema.read([authority], {})
  const streams = sources.flatMap((source) => source.streams)
  return Promise.all(
    streams.map(async (stream) => ({ stream, records: (await context.records.page(stream.scope, SAMPLES)).rows })),
  )
}

/** Contains only the changes, so that an unchanged form is refused as "nothing to narrow". */
function narrowingOf(grant: Grant, declaration: SourceDeclaration, form: URLSearchParams): GrantNarrowing {
  const kept = new Set(form.getAll('stream'))
  const streams = grant.streams.filter(({ name }) => kept.has(name))
  if (streams.length === 0)
    throw new PdppError('invalid_argument', 'Nothing would be left. To take everything away, revoke the access.', {
      param: 'stream',
    })
  const connections = form.get('connections') === 'chosen' ? form.getAll('connection') : undefined
  if (connections?.length === 0)
    throw new PdppError('invalid_argument', 'No source would be left. To take everything away, revoke the access.', {
      param: 'connection',
    })
  const date = (name: string) => form.get(name)?.trim() || undefined
  requireDays(date)
  return {
    connections: connections?.length === grantedConnections(grant).length ? undefined : connections,
    streams: streams.map((stream) => ({ name: stream.name, fields: fieldsOf(stream, declaration, form) })),
    since: date('since'),
    until: date('until'),
    expiresAt: date('expires'),
  }
}

/** Checks the days here, because the service's messages name parameters that the owner does not see. */
function requireDays(date: (name: string) => string | undefined): void {
  const [since, until, expires] = ['since', 'until', 'expires'].map((name) => {
    const text = date(name)
    const at = text === undefined ? undefined : Date.parse(text)
    if (Number.isNaN(at)) throw new PdppError('invalid_argument', 'Write a day like 2026-01-31.', { param: name })
    return at
  })
  if (since !== undefined && until !== undefined && since >= until)
    throw new PdppError('invalid_argument', 'The first day must come before the end.', { param: 'until' })
  if (expires !== undefined && expires <= Date.now())
    throw new PdppError('invalid_argument', 'The end must be a day in the future.', { param: 'expires' })
}

/** Required fields are always kept. Browsers do not send them, because their boxes are disabled. */
function fieldsOf(
  { name, fields }: Grant['streams'][number],
  declaration: SourceDeclaration,
  form: URLSearchParams,
): string[] | undefined {
  const declared = declaration.streams.find((stream) => stream.name === name)
  const kept = new Set([...form.getAll(`field/${name}`), ...(declared ? requiredFields(declared) : [])])
  const left = fields.filter((field) => kept.has(field))
  return left.length === fields.length ? undefined : left
}
