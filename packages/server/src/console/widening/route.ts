import type { Handler } from 'hono'
import { isTraining } from '../../authorization/requests/authorization-details.ts'
import type { Context } from '../../context.ts'
import { FIELDS, firstChoice, readChoice, type WideningChoice } from '../../grants/widening/choice.ts'
import type { WideningDraft } from '../../grants/widening/draft.ts'
import { isFulfilled, type WideningSubject } from '../../grants/widening/subject.ts'
import type { StoredWish } from '../../grants/wishes/wish-store.ts'
import { RecordUrls } from '../../records/record-url.ts'
import type { Http, HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { agentPath } from '../access/wish-route.ts'
import { wishWords } from '../access/wish-text.ts'
import { sendPage } from '../frame/send.ts'
import { endedPage, wideningPage } from './page.ts'
import { widenedNotice } from './paused.ts'
import { previewOf } from './preview.ts'
import { receiptsOf } from './receipts.ts'

/** Max. bytes of the form. It is large, because it can have a box for every field of hundreds of streams. */
const FORM_BYTES = 1024 * 1024

/** The access, the wish and the address of one page. */
interface Occasion {
  readonly subject: WideningSubject
  readonly wish: StoredWish | undefined
  readonly asked: string | undefined
  readonly action: string
}

/** A form token is valid for one session and one address, which names the access and the wish. */
const purposeOf = ({ action }: Occasion): string => `widen:${action}`
/** Proves which choice the page showed. If another choice is approved, the owner sees it first. */
const shownPurpose = (occasion: Occasion, { digest }: WideningDraft): string =>
  `widen-shown:${purposeOf(occasion)}:${digest}`

/** GET /wishes/{token}, /agents/grants/{id}/widen and /agents/packages/{id}/widen */
export function showWidening(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const occasion = await occasionOf(context, c)
    if (!occasion) return sendPage(c, endedPage(c.get('pageSession')), { status: 410 })
    const { offer, access, lacks } = occasion.subject
    return show(context, c, occasion, { choice: firstChoice(offer, access, lacks) })
  }
}

/** POST to the same addresses: a decision, or a changed choice to show again. */
export function decideWidening(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const occasion = await occasionOf(context, c)
    if (!occasion) return sendPage(c, endedPage(c.get('pageSession')), { status: 410 })
    const form = await readVerifiedForm(c, purposeOf(occasion), FORM_BYTES)
    const { subject } = occasion
    const { subjectId } = c.get('authority')
    const decision = form.get('decision')
    const first = () => firstChoice(subject.offer, subject.access, subject.lacks)
    // Another tab or an earlier click has already decided. The page says so.
    if (isFulfilled(subject)) return show(context, c, occasion, { choice: first(), status: 409 })
    if (subject.lacks && (decision === 'deny' || decision === 'silence')) {
      const wish = { clientId: subject.access!.clientId, accessId: subject.access!.id, lacks: subject.lacks }
      await context.wishes.decide(subjectId, wish, decision === 'deny' ? 'denied' : 'silenced')
      return c.redirect(`${backOf(occasion)}?done=wish_${decision === 'deny' ? 'denied' : 'silenced'}`, 303)
    }
    if (decision === 'approve' && !isOffered(subject, form))
      return show(context, c, occasion, { choice: first(), refusal: CHANGED })
    const choice = readChoice(form, subject.offer, subject.access, subject.lacks)
    const draft = await context.widening.draft(subjectId, subject, choice)
    if (decision !== 'approve') return show(context, c, occasion, { choice, draft })
    const refusal = refusalOf(c, occasion, draft, form)
    if (refusal) return show(context, c, occasion, { choice, draft, refusal })
    return approve(context, c, occasion, draft)
  }
}

async function approve(context: Context, c: Http, { subject }: Occasion, draft: WideningDraft): Promise<Response> {
  const { subjectId } = c.get('authority')
  // Writes the log entry first, because access must never grow without one.
  for (const receipt of receiptsOf(c, subjectId, draft)) await context.receipts.append(receipt)
  const { kind, id, clientId, members } = await context.widening.apply(subjectId, subject, draft)
  if (subject.lacks) await context.wishes.forget(subjectId, clientId, subject.lacks)
  return c.redirect(`/agents/${kind}s/${id}?done=${widenedNotice(members, draft)}`, 303)
}

interface Refusal {
  readonly status: 400 | 409
  readonly notice: string
}

const CHANGED: Refusal = {
  status: 409,
  notice: 'Your choice or this access changed. Check what is added now, then allow it.',
}

/** True if everything that is ticked in the form can still be added. */
function isOffered({ offer }: WideningSubject, form: URLSearchParams): boolean {
  const keys = new Set(offer.map(({ key }) => key))
  return form.getAll(FIELDS.part).every((key) => keys.has(key))
}

function refusalOf(c: Http, occasion: Occasion, draft: WideningDraft, form: URLSearchParams): Refusal | undefined {
  if (draft.problems.length > 0) return { status: 400, notice: `Nothing was added: ${draft.problems[0]}` }
  if (!c.get('pageSession').acceptsFormToken(form.get('shown') ?? '', shownPurpose(occasion, draft))) return CHANGED
  if (isTraining(occasion.subject.purpose.purposeCode) && form.get('ai_training') !== 'yes')
    return { status: 400, notice: 'You have not agreed to training a model. Tick the box below, or deny it.' }
  return
}

async function occasionOf(context: Context, c: Http): Promise<Occasion | undefined> {
  const { subjectId } = c.get('authority')
  const token = c.req.param('token')
  const link = token === undefined ? undefined : context.wishes.read(token)
  const subject = await context.widening.read(subjectId, link?.accessId ?? c.req.param('id')!, link?.lacks)
  if (!subject) return
  if (!link) return { subject, wish: undefined, asked: undefined, action: c.req.path }
  const wish = await context.wishes.find(subjectId, subject.access!.clientId, link.lacks)
  const asked = wishWords(link.lacks, await context.storage.sources.list(subjectId))
  return { subject, wish, asked, action: c.req.path }
}

const backOf = ({ subject }: Occasion): string => `/agents/${subject.access!.kind}s/${subject.access!.id}`

async function show(
  context: Context,
  c: Http,
  occasion: Occasion,
  state: {
    readonly choice: WideningChoice
    readonly draft?: WideningDraft
    readonly refusal?: Refusal
    readonly status?: 409
  },
): Promise<Response> {
  const { subjectId } = c.get('authority')
  const { subject, wish, asked, action } = occasion
  const { choice, refusal } = state
  const draft = state.draft ?? (await context.widening.draft(subjectId, subject, choice))
  const pageSession = c.get('pageSession')
  const page = wideningPage({
    ...{ pageSession, subject, wish, asked, action, choice, draft },
    client: subject.client.id === undefined ? undefined : await context.clients.find(subject.client.id),
    preview: await previewOf(context, subjectId, draft.changed),
    totals: await totalsOf(context, subjectId),
    urls: new RecordUrls(c.get('requestOrigin').origin),
    purpose: purposeOf(occasion),
    shown: pageSession.formToken(shownPurpose(occasion, draft)),
    back: await agentPath(context, subjectId, { clientId: subject.client.id ?? '', accessId: subject.access!.id }),
    notice: refusal?.notice,
  })
  return sendPage(c, page, { status: refusal?.status ?? state.status ?? 200 })
}

/** Items of every stream, by connector and stream. */
export async function totalsOf(context: Context, subjectId: string): Promise<ReadonlyMap<string, number>> {
  const sources = await context.schema.read([{ kind: 'owner', subjectId }], {})
  return new Map(
    sources.flatMap(({ declaration, streams }) =>
      streams.map((stream) => [
        `${declaration.connector_key}/${stream.declaration.name}`,
        stream.statistics.reduce((sum, one) => sum + one.count, 0),
      ]),
    ),
  )
}
