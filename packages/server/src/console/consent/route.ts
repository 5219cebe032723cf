import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { getCookie } from 'hono/cookie'
import { type Choice, firstChoice, readChoice } from '../../authorization/consent/choice.ts'
import type { ConsentRequest } from '../../authorization/consent/consent-service.ts'
import { applyGroups } from '../../authorization/consent/groups.ts'
import { readFind } from '../../authorization/consent/listing.ts'
import { CONSENT_PATH } from '../../authorization/consent/paths.ts'
import { applyPreset } from '../../authorization/consent/presets.ts'
import { allowsTraining, consentPurpose, shownPurpose } from '../../authorization/consent/purpose.ts'
import type { Review } from '../../authorization/consent/review.ts'
import { applySharedPreset, sharedPresets } from '../../authorization/consent/shared-presets.ts'
import type { Context } from '../../context.ts'
import type { Http, HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { sendPage } from '../frame/send.ts'
import { knownAccess } from './access-before.ts'
import { groupsOf } from './kind-groups.ts'
import { decidedPage } from './page.ts'
import { type Refusal, sendConsent } from './show.ts'
import { OPEN_FIELD } from './source-fold.ts'

/** Max. bytes of the form. It is large, because it can have a box for every field of hundreds of streams. */
const FORM_BYTES = 1024 * 1024
/** Max. sources that show samples at once. */
const MAX_OPENED = 20

/** GET /oauth/consent/{uid} */
export function showConsent(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const request = await readRequest(context, c)
    return sendConsent(context, c, request, { choice: firstChoice(request.offer) })
  }
}

/** POST /oauth/consent/{uid}: a decision, or a changed choice to show again. */
export function decideConsent(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const request = await readRequest(context, c)
    const form = await readVerifiedForm(c, consentPurpose(request), FORM_BYTES)
    const { consent } = context.authorization
    const { origin } = c.get('requestOrigin')
    const pressed = form.get('preset')
    const isLooking = pressed !== null || form.has('find-clear')
    const decision = isLooking ? 'update' : form.get('decision')
    if (decision === 'deny') return finish(c, await consent.deny(origin, request.uid), false)
    if (decision === 'list' && request.profile === 'owner') return listProgram(context, c, request, form)
    const { subjectId } = c.get('authority')
    const choice = await chosen(context, subjectId, request, form)
    const review = await consent.review(subjectId, request, choice)
    const state = { choice, review, find: form.has('find-clear') ? '' : readFind(form), opened: readOpened(form) }
    if (decision !== 'approve') return sendConsent(context, c, request, state)
    const refusal = refusalOf(c, request, review, form)
    if (refusal) return sendConsent(context, c, request, { ...state, refusal })
    return finish(c, await consent.approve(origin, subjectId, request, review), true)
  }
}

/** The choice in the form: its ticks, then the ticks of groups, then a quick choice. */
async function chosen(
  context: Context,
  subjectId: string,
  request: ConsentRequest,
  form: URLSearchParams,
): Promise<Choice> {
  const { offer, client } = request
  const pressed = form.get('preset') ?? ''
  const choice = applyGroups(readChoice(form, offer), groupsOf(offer), form)
  if (pressed === '') return choice
  const { held } = await knownAccess(context, subjectId, client.clientId)
  return applySharedPreset(applyPreset(choice, offer, pressed), sharedPresets(offer, held), pressed)
}

/** The names of the open folds. */
const readOpened = (form: URLSearchParams): Set<string> => new Set(form.getAll(OPEN_FIELD).slice(0, MAX_OPENED))

/**
 * Adds a program to the list of those that may ask for full access. Needs the password, because the owner may have left
 * the screen unlocked.
 */
async function listProgram(
  context: Context,
  c: Http,
  request: ConsentRequest,
  form: URLSearchParams,
): Promise<Response> {
  const { subjectId } = c.get('authority')
  const { session } = c.get('pageSession')
  const proof = { password: form.get('password') ?? '', address: c.get('requestOrigin').address, session: session! }
  if (!(await context.signIn.isProved(subjectId, proof))) {
    const notice = (await context.signIn.hasPassword(subjectId))
      ? 'That is not your password.'
      : 'You signed in some time ago. Sign out, sign in with a new link, and open this page again.'
    return sendConsent(context, c, request, { choice: firstChoice(request.offer), refusal: { status: 400, notice } })
  }
  await context.authorization.ownerAgents.add(subjectId, request.client.clientId)
  return c.redirect(`${CONSENT_PATH}/${request.uid}`, 303)
}

/** The reason why this form cannot be approved, if any. The owner must have seen everything exactly as it is now. */
function refusalOf(c: Http, request: ConsentRequest, review: Review, form: URLSearchParams): Refusal | undefined {
  if (form.get('revision') !== request.revision)
    return {
      status: 409,
      notice:
        'The request, the program that asks or one of your sources changed while you looked at this page. This is the current state. Please check it again.',
    }
  if (request.profile === 'owner' && !request.isOwnerAgent)
    return { status: 400, notice: 'This program is not on your list. List it first, or deny the request.' }
  if (request.profile === 'owner' && form.get('full_access') !== 'yes')
    return { status: 400, notice: 'Full access was not confirmed. Tick the box, or deny the request.' }
  if (review.problems.length > 0) return { status: 400, notice: `Nothing was shared yet. ${reasonOf(review)}` }
  if (!c.get('pageSession').acceptsFormToken(form.get('shown') ?? '', shownPurpose(request, review)))
    return { status: 409, notice: 'You changed your choice. Check what is shared now, then allow it.' }
  if (allowsTraining(review) && form.get('ai_training') !== 'yes')
    return { status: 400, notice: 'You have not agreed to training a model. Tick the box below, or deny the request.' }
  return
}

/** Problems of one source are shown at that source, so this names only general ones. */
const reasonOf = ({ problems }: Review): string =>
  problems.find(({ key }) => key === undefined)?.message ?? 'See the note at the source below.'

function finish(c: Http, location: string | undefined, approved: boolean): Response | Promise<Response> {
  return location === undefined ? sendPage(c, decidedPage(c.get('pageSession'), approved)) : c.redirect(location, 303)
}

/** A request must be decided in the browser that started it. Otherwise the answer could reach somebody else. */
async function readRequest(context: Context, c: Http): Promise<ConsentRequest> {
  const { origin } = c.get('requestOrigin')
  const uid = c.req.param('uid')!
  const request = await context.authorization.consent.read(origin, c.get('authority').subjectId, uid)
  if (request.kind !== 'browser' || request.uid === interactionCookie(c)) return request
  throw new PdppError('permission_error', 'This request was started in another browser.', {
    nextStep: 'Start again from the application that wants to connect, in this browser.',
  })
}

function interactionCookie(c: Http): string | undefined {
  const prefix = c.get('requestOrigin').origin.startsWith('https:') ? '__Secure-' : ''
  return getCookie(c, `${prefix}pdpp_interaction`)
}
