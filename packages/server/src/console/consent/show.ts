import { type Choice, isChosen } from '../../authorization/consent/choice.ts'
import type { ConsentRequest } from '../../authorization/consent/consent-service.ts'
import { type Listing, listSources } from '../../authorization/consent/listing.ts'
import type { OfferedSource } from '../../authorization/consent/offer.ts'
import type { Review } from '../../authorization/consent/review.ts'
import { sharedPresets } from '../../authorization/consent/shared-presets.ts'
import type { Context } from '../../context.ts'
import { RecordUrls } from '../../records/record-url.ts'
import type { Http } from '../../routes/environment.ts'
import { sendPage } from '../frame/send.ts'
import { knownAccess } from './access-before.ts'
import { groupsOf, inOrder } from './kind-groups.ts'
import { consentPage } from './page.ts'
import { sharedFacts } from './request-facts.ts'

/** If fewer streams are chosen, all of them show samples. */
const FEW_STREAMS = 4
/** With more sources, only the chosen ones are counted. */
const MAX_COUNTED = 100

/** Why a decision was refused. */
export interface Refusal {
  readonly status: 400 | 409
  readonly notice: string
}

interface ShowOptions {
  readonly choice: Choice
  readonly find?: string
  readonly opened?: ReadonlySet<string>
  readonly review?: Review
  readonly refusal?: Refusal
}

/** Sends the page for this choice. */
export async function sendConsent(
  context: Context,
  c: Http,
  request: ConsentRequest,
  { choice, find, opened = new Set(), review: reviewed, refusal }: ShowOptions,
): Promise<Response> {
  const { consent } = context.authorization
  const { subjectId } = c.get('authority')
  const { offer } = request
  const review = reviewed ?? (await consent.review(subjectId, request, choice))
  const { held, ...known } = await knownAccess(context, subjectId, request.client.clientId)
  const listing = listSources(inOrder(offer), choice, groupsOf(offer), find)
  const [listed, sampled] = [countedSources(request, choice, listing), sampledSources(review, opened)]
  const preview = await consent.preview(subjectId, { request, choice, review, listed, sampled })
  const state = { request, choice, review, preview, listing, opened, presets: sharedPresets(offer, held), ...known }
  const view = {
    ...state,
    pageSession: c.get('pageSession'),
    facts: sharedFacts(offer),
    urls: new RecordUrls(c.get('requestOrigin').origin),
    hasPassword: await context.signIn.hasPassword(subjectId),
    notice: refusal?.notice,
  }
  return sendPage(c, consentPage(view), { status: refusal?.status ?? 200, formTargets: formTargets(request) })
}

function countedSources({ offer }: ConsentRequest, choice: Choice, listing: Listing): readonly OfferedSource[] {
  if (offer.length <= MAX_COUNTED) return offer
  const shown = new Set(listing.kind === 'groups' ? [] : listing.lines.map(({ source }) => source))
  return offer.filter((source) => shown.has(source) || isChosen(choice.sources.get(source.key)))
}

function sampledSources({ grants }: Review, opened: ReadonlySet<string>): ReadonlySet<string> {
  const streams = grants.reduce((sum, { draft }) => sum + draft.streams.length, 0)
  return streams > FEW_STREAMS ? opened : new Set([...opened, ...grants.map(({ source }) => source.key)])
}

/** The form redirects to the client. Browsers allow that only if the policy names the target. */
function formTargets({ redirectUri }: ConsentRequest): string[] {
  if (redirectUri === undefined) return []
  const { protocol, origin, hostname } = new URL(redirectUri)
  // A policy cannot name an IPv6 address, nor a host of an application's scheme. Name the scheme alone.
  return [/^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol]
}
