import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { getCookie } from 'hono/cookie'
import { AI_TRAINING } from '../../authorization/authorization-details.ts'
import type { Approval, ConsentRequest } from '../../authorization/consent/consent-service.ts'
import type { Context } from '../../context.ts'
import type { GrantSelection } from '../../grants/selection.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { sentForm } from '../../http/form.ts'
import { type Choosable, consentPage, consentPurpose, decidedPage } from '../../pages/consent-page.ts'
import { sendPage } from '../../pages/send.ts'
import type { Http } from './answer.ts'

const DAY_MS = 86_400_000

/** GET /oauth/consent/{uid} */
export function showConsent(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const request = await readRequest(context, c)
    const { subjectId } = c.get('authority')
    const page = consentPage(c.get('visitor'), request, await choosable(context, subjectId))
    return sendPage(c, page, { formTargets: formTargets(request) })
  }
}

/** POST /oauth/consent/{uid} */
export function decideConsent(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const request = await readRequest(context, c)
    const form = await sentForm(c, consentPurpose(request))
    const { subjectId } = c.get('authority')
    const { origin } = c.get('arrival')
    const approved = form.get('decision') === 'approve'
    const location = approved
      ? await context.authorization.consent.approve(
          origin,
          subjectId,
          request.uid,
          await readApproval(context, subjectId, request, form),
        )
      : await context.authorization.consent.deny(origin, request.uid)
    if (location !== undefined) return c.redirect(location, 303)
    return sendPage(c, decidedPage(c.get('visitor'), approved))
  }
}

/** A request that a browser brought is decided in that browser: otherwise its answer would go to somebody else's. */
async function readRequest(context: Context, c: Http): Promise<ConsentRequest> {
  const { origin } = c.get('arrival')
  const uid = c.req.param('uid')!
  const request = await context.authorization.consent.read(origin, c.get('authority').subjectId, uid)
  if (request.kind !== 'browser' || request.uid === interactionCookie(c)) return request
  throw new PdppError('permission_error', 'This request was started in another browser.', {
    nextStep: 'Start again from the application that wants to connect, in this browser.',
  })
}

function interactionCookie(c: Http): string | undefined {
  const prefix = c.get('arrival').origin.startsWith('https:') ? '__Secure-' : ''
  return getCookie(c, `${prefix}pdpp_interaction`)
}

/** Browsers follow a form's redirects only to where the policy allows. */
function formTargets({ redirectUri }: ConsentRequest): string[] {
  if (redirectUri === undefined) return []
  const { protocol, origin, hostname } = new URL(redirectUri)
  // A policy can name neither an application's own scheme with a host nor an IPv6 address.
  return [/^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol]
}

async function choosable(context: Context, subjectId: string): Promise<Choosable[]> {
  const [declarations, connections] = await Promise.all([
    context.storage.sources.list(subjectId),
    context.storage.connections.list(subjectId),
  ])
  return declarations
    .map((declaration) => ({
      declaration,
      connections: connections.filter(({ connectorKey }) => connectorKey === declaration.connector_key),
    }))
    .filter((source) => source.connections.length > 0)
}

async function readApproval(
  context: Context,
  subjectId: string,
  request: ConsentRequest,
  form: URLSearchParams,
): Promise<Approval> {
  if (request.profile === 'owner' && form.get('full_access') !== 'yes') throw missing('Full access was not confirmed.')
  const training = request.requested?.some(({ purposeCode }) => purposeCode === AI_TRAINING)
  if (training && form.get('ai_training') !== 'yes') throw missing('Training a model was not agreed to.')
  const days = Number(form.get('ends') || 0)
  return {
    revision: form.get('revision') ?? '',
    selections:
      request.requested?.map(({ selection }) => selection) ??
      (await chosen(context, subjectId, form.getAll('connection'))),
    expiresAt: days > 0 && days <= 3650 ? new Date(Date.now() + days * DAY_MS).toISOString() : undefined,
  }
}

/** One selection for each source that a connection was chosen of. */
async function chosen(context: Context, subjectId: string, ids: readonly string[]): Promise<GrantSelection[]> {
  const sources = await choosable(context, subjectId)
  return sources
    .map(({ connections }) => connections.map(({ connectionId }) => connectionId).filter((id) => ids.includes(id)))
    .filter((connections) => connections.length > 0)
    .map((connections) => ({ connections }))
}

function missing(message: string): PdppError {
  return new PdppError('invalid_argument', message, { nextStep: 'Go back, and tick the box or deny the request.' })
}
