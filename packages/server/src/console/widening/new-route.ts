import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { AGENT_CONTEXT } from '../../authorization/requests/authorization-details.ts'
import { ownerCreatedClient } from '../../clients/client-service.ts'
import type { Context } from '../../context.ts'
import { grantedConnections } from '../../grants/authority.ts'
import type { GrantRequest } from '../../grants/grant-service.ts'
import { grantAccess, packageAccess } from '../../grants/summary/agent-access.ts'
import { type CurrentAccess, grantsOf } from '../../grants/widening/access.ts'
import {
  ENDS,
  type End,
  firstChoice,
  instantOf,
  readChoice,
  type WideningChoice,
} from '../../grants/widening/choice.ts'
import type { WideningDraft } from '../../grants/widening/draft.ts'
import type { WideningSubject } from '../../grants/widening/subject.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import { RecordUrls } from '../../records/record-url.ts'
import type { Http, HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { accessWords } from '../access/access-text.ts'
import { sourceNames } from '../access/source-names.ts'
import { sendPage } from '../frame/send.ts'
import { issueAccess } from './issue.ts'
import { madeAlreadyPage, NAME_CHARS, newAccessPage, tokenPage } from './new-page.ts'
import { onceField, onceIn } from './once.ts'
import { previewOf } from './preview.ts'
import { receiptsOf } from './receipts.ts'
import { totalsOf } from './route.ts'

const FORM_BYTES = 1024 * 1024
const PURPOSE = 'new-access'
const FIRST_END: End = '2160'
const shownPurpose = (digest: string, copied: CurrentAccess | undefined): string =>
  `new-access-shown:${digest}:${copied === undefined ? '' : copied.members.map(({ grant }) => grant.grant_id).join(' ')}`

interface Shown {
  readonly subject: WideningSubject
  readonly choice: WideningChoice
  readonly copied: CurrentAccess | undefined
  readonly notice?: string
  /** The submitted form, if this answers one. */
  readonly form?: URLSearchParams
}

const CHANGED = 'Your choice changed. Check what is shared now, then make the token.'

/** GET /agents/new: creates access for a script, from scratch or as a copy of another access. */
export function showNewAccess(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const copied = await copiedAccess(context, subjectId, new PageQuery(c).text('copy'))
    const subject = await context.widening.readNew(subjectId, '', AGENT_CONTEXT)
    const choice = { ...firstChoice(subject.offer, undefined, undefined), end: FIRST_END }
    return show(context, c, { subject, choice, copied })
  }
}

/** POST /agents/new */
export function makeNewAccess(context: Context): Handler<HttpEnvironment> {
  /** The clients that are being created now, so that a double click creates one. */
  const making = new Set<string>()
  return async (c) => {
    const form = await readVerifiedForm(c, PURPOSE, FORM_BYTES)
    const { subjectId } = c.get('authority')
    const clientId = onceIn(c.get('pageSession'), form)
    // Checked first: if the form was already used, later changes do not matter.
    const isMade = async () => clientId !== undefined && (await context.clients.find(clientId)) !== undefined
    if (form.get('decision') === 'approve' && (await isMade())) return madeAlready(c, clientId!)
    const copied = await copiedAccess(context, subjectId, form.get('copy') ?? undefined)
    const name = (form.get('name') ?? '').trim().slice(0, NAME_CHARS)
    const subject = await context.widening.readNew(subjectId, name, AGENT_CONTEXT)
    const choice = readNewChoice(form, subject)
    const draft = await context.widening.draft(subjectId, subject, choice)
    const state = { subject, choice, copied, form }
    if (form.get('decision') !== 'approve') return show(context, c, state)
    if (name === '') return show(context, c, { ...state, notice: 'Give it a name, so that you recognise it later.' })
    if (!copied && draft.problems.length > 0) return show(context, c, { ...state, notice: draft.problems[0]! })
    const shown = shownPurpose(copied ? '' : draft.digest, copied)
    if (clientId === undefined || !c.get('pageSession').acceptsFormToken(form.get('shown') ?? '', shown))
      return show(context, c, { ...state, notice: CHANGED })
    if (making.has(clientId)) return madeAlready(c, clientId)
    making.add(clientId)
    try {
      if (await isMade()) return await madeAlready(c, clientId)
      const requests = copied ? copyRequests(copied, name, choice.end) : requestsOf(draft)
      return await issue(context, c, { clientId, name }, requests)
    } finally {
      making.delete(clientId)
    }
  }
}

const madeAlready = (c: Http, clientId: string) =>
  sendPage(c, madeAlreadyPage(c.get('pageSession'), clientId), { status: 409 })

/** The digest does not include the name, because the owner types it after the page was shown. */
function readNewChoice(form: URLSearchParams, { offer }: WideningSubject): WideningChoice {
  const choice = readChoice(form, offer, undefined, undefined)
  return { ...choice, end: ENDS.find((end) => end === form.get('end')) ?? FIRST_END }
}

async function copiedAccess(context: Context, subjectId: string, id: string | undefined) {
  if (id === undefined) return
  const access = await context.widening.current(subjectId, id)
  if (access) return access
  throw new PdppError('not_found', 'This access has ended, so it cannot be copied.', { reason: 'grant' })
}

const requestsOf = ({ added }: WideningDraft): GrantRequest[] => added.map(({ request }) => request)

/** The same streams, fields, times and records, for another agent and with its own end. */
function copyRequests(access: CurrentAccess, clientName: string, end: End): GrantRequest[] {
  const at = instantOf(end)
  return grantsOf(access).map((grant) => ({
    clientName,
    purposeCode: AGENT_CONTEXT,
    singleUse: false,
    expiresAt: at === undefined ? undefined : new Date(at).toISOString(),
    connections: grantedConnections(grant),
    streams: grant.streams.map(({ name, fields, instance_ids: connections, time_constraint: time, resources }) => ({
      ...{ name, fields, connections, resources },
      since: time?.since,
      until: time?.until,
    })),
  }))
}

/** Creates all grants or none, and shows their token. */
async function issue(
  context: Context,
  c: Http,
  { clientId, name }: { readonly clientId: string; readonly name: string },
  requests: readonly GrantRequest[],
): Promise<Response> {
  const { subjectId } = c.get('authority')
  const owned = requests.map((request) => ({ ...request, clientId, clientName: name }))
  const { accessToken, grants, path } = await issueAccess(context, subjectId, owned)
  await context.clients.used(ownerCreatedClient(clientId, name))
  for (const receipt of receiptsOf(c, subjectId, { changed: grants }, 'create_access'))
    await context.receipts.append(receipt)
  const { origin } = c.get('requestOrigin')
  return sendPage(c, tokenPage({ pageSession: c.get('pageSession'), name, token: accessToken, grants, path, origin }))
}

async function show(context: Context, c: Http, { subject, choice, copied, notice, form }: Shown): Promise<Response> {
  const { subjectId } = c.get('authority')
  const draft = await context.widening.draft(subjectId, subject, choice)
  const pageSession = c.get('pageSession')
  const page = newAccessPage({
    ...{ pageSession, subject, choice, draft, notice },
    preview: await previewOf(context, subjectId, draft.changed),
    totals: await totalsOf(context, subjectId),
    urls: new RecordUrls(c.get('requestOrigin').origin),
    copied: copied && { id: copied.id, sentence: await sentenceOf(context, subjectId, copied) },
    purpose: PURPOSE,
    once: onceField(pageSession, form),
    shown: pageSession.formToken(shownPurpose(copied ? '' : draft.digest, copied)),
  })
  return sendPage(c, page, { status: notice === undefined ? 200 : 400 })
}

async function sentenceOf(context: Context, subjectId: string, { kind, id, members }: CurrentAccess) {
  const access =
    kind === 'grant'
      ? await grantAccess(context.storage, subjectId, members[0]!)
      : await packageAccess(context.storage, subjectId, await context.packages.require(subjectId, id))
  return accessWords(access, await sourceNames(context, subjectId))
}
