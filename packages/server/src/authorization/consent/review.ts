import { hash } from 'node:crypto'
import { type Grant, narrowStream, PdppError } from '@pdpp/protocol'
import type { GrantRequest, GrantService } from '../../grants/grant-service.ts'
import { MAX_MEMBERS } from '../../grants/packages/package-service.ts'
import type { GrantSelection } from '../../grants/selection.ts'
import { AGENT_CONTEXT } from '../requests/authorization-details.ts'
import type { BackDays, Choice, Ends, SourceChoice } from './choice.ts'
import type { ConsentRequest } from './consent-service.ts'
import type { OfferedSource } from './offer.ts'
import { isDated } from './presets.ts'

const DAY_MS = 86_400_000

/** A grant that an approval would create. */
interface ReviewedGrant {
  readonly source: OfferedSource
  readonly request: GrantRequest
  readonly draft: Grant
}

/** The result of checking a choice. */
export interface Review {
  readonly grants: readonly ReviewedGrant[]
  /**
   * Reasons why the choice cannot be approved, as text for the owner. `key` names the source, if the reason is about
   * one.
   */
  readonly problems: readonly { readonly key: string | undefined; readonly message: string }[]
  readonly singleUse: boolean
  /** When the access would end if the owner approved now. */
  readonly expiresAt: string | undefined
  /** Hash of everything that an approval would do, and of everything that the page said about it. */
  readonly digest: string
}

/** Resolves a choice into the grants that an approval would create, without creating them. */
export async function reviewChoice(
  grants: Pick<GrantService, 'draft'>,
  subjectId: string,
  request: ConsentRequest,
  choice: Choice,
): Promise<Review> {
  const problems: { key: string | undefined; message: string }[] = []
  const reviewed: ReviewedGrant[] = []
  const ends = { singleUse: choice.ends === 'once', expiresAt: endOf(choice.ends) }
  for (const source of request.offer) {
    try {
      const selection = selectionOf(source, choice.sources.get(source.key)!, choice.back)
      if (!selection) continue
      const wanted = { ...grantRequest(request, source, selection), ...ends }
      reviewed.push({ source, request: wanted, draft: await grants.draft(subjectId, wanted) })
    } catch (error) {
      if (!(error instanceof PdppError)) throw error
      problems.push({ key: source.key, message: error.message })
    }
  }
  if (reviewed.length > MAX_MEMBERS)
    problems.push({ key: undefined, message: `You can share at most ${MAX_MEMBERS} sources at once.` })
  if (reviewed.length === 0 && problems.length === 0 && request.profile === 'grant')
    problems.push({ key: undefined, message: 'Tick at least one source.' })
  return { grants: reviewed, problems, ...ends, digest: digestOf(request, reviewed, ends) }
}

export function grantRequest(
  { client, clientName }: ConsentRequest,
  { asked }: OfferedSource,
  selection: GrantSelection,
): GrantRequest {
  return {
    ...selection,
    clientId: client.clientId,
    clientName: client.metadata.client_name ?? clientName ?? client.clientId,
    purposeCode: asked?.purposeCode ?? AGENT_CONTEXT,
    purposeDescription: asked?.purposeDescription,
    retention: asked?.retention,
    singleUse: asked?.singleUse ?? false,
  }
}

/** Everything that is both offered and ticked; undefined if nothing of the source is ticked. */
export function selectionOf(source: OfferedSource, choice: SourceChoice, back: BackDays): GrantSelection | undefined {
  if (choice.streams.size === 0) return
  const only = source.connections.length === 1
  const connections = only ? source.connections.map(({ connectionId }) => connectionId) : choice.connections
  if (connections.length === 0) throw invalid('Choose at least one of the accounts.')
  // Days that the owner typed for one source replace the period for all of them.
  const own = choice.from + choice.to !== ''
  const since = own ? (choice.from === '' ? undefined : dayFrom(choice.from, 0)) : startOf(back)
  const until = choice.to === '' ? undefined : dayFrom(choice.to, 1)
  if (since !== undefined && until !== undefined && since >= until) throw invalid('The last day is before the first.')
  const streams = source.streams.flatMap((stream) => {
    const fields = choice.streams.get(stream.maxGrant.name)
    if (!fields) return []
    const time = isDated(stream) ? { since, until } : {}
    const timeField = stream.declaration.consent_time_field ?? undefined
    const narrowed = narrowStream(stream.maxGrant, { connections, fields, ...time }, timeField)
    if (!narrowed) return []
    const { name, instance_ids, time_constraint: limits, resources } = narrowed
    return [
      {
        name,
        fields: narrowed.fields,
        connections: instance_ids,
        since: limits?.since,
        until: limits?.until,
        resources,
      },
    ]
  })
  if (streams.length === 0) throw invalid('These days and accounts contain nothing that the agent asked for.')
  return { connections: connections.filter((id) => streams.some((one) => one.connections.includes(id))), streams }
}

function endOf(ends: Ends): string | undefined {
  return ends === '' || ends === 'once' ? undefined : new Date(Date.now() + Number(ends) * DAY_MS).toISOString()
}

/** The first day of the period. The day is fixed: new records are added later, and no old record drops out. */
export function startOf(back: BackDays): string | undefined {
  return back === '' ? undefined : dayFrom(new Date(Date.now() - Number(back) * DAY_MS).toISOString().slice(0, 10), 0)
}

/** Adds days to a typed day. Refuses days that do not exist, such as 30 February, or that are after the year 9999. */
function dayFrom(text: string, days: number): string {
  const at = Date.parse(text)
  const dayOf = (time: number) => new Date(time).toISOString().split('T')[0]!
  if (Number.isNaN(at) || dayOf(at) !== text) throw invalid(`This is not a day. Write it like ${dayOf(Date.now())}.`)
  const day = dayOf(at + days * DAY_MS)
  if (day.startsWith('+')) throw invalid('That day is too far away. For no end, leave it empty.')
  return day
}

function digestOf(
  request: ConsentRequest,
  grants: readonly ReviewedGrant[],
  ends: Pick<Review, 'singleUse' | 'expiresAt'>,
): string {
  const grantFacts = grants.map(({ source, draft }) => [
    draft.client,
    draft.source,
    draft.purpose_code,
    draft.purpose_description,
    draft.access_mode,
    draft.streams,
    sourceFacts(source),
  ])
  // Only the day, as the page shows it, because the exact time moves until the owner decides.
  return digest([requestFacts(request), grantFacts, ends.singleUse, ends.expiresAt?.slice(0, 10)])
}

/**
 * Hash of the request and its sources, without the owner's choice. Shows whether anything except the choice has
 * changed.
 */
export function revisionOf(request: Omit<ConsentRequest, 'revision'>): string {
  return digest([requestFacts(request), request.offer.map(sourceFacts)])
}

function requestFacts(request: Omit<ConsentRequest, 'revision'>) {
  const { client, clientName, redirectUri, audiences, profile, kind, details, missing, isOwnerAgent } = request
  const requested = [redirectUri, audiences, profile, kind, details, missing, isOwnerAgent]
  return [client.clientId, client.kind, client.metadata, clientName, ...requested]
}

function sourceFacts({ declaration, connections, asked }: OfferedSource) {
  const named = connections.map(({ connectionId, displayName }) => [connectionId, displayName])
  return [digest(declaration), named, asked && [asked.selection, asked.retention, asked.commitments]]
}

const digest = (facts: unknown): string => hash('sha256', JSON.stringify(facts), 'base64url')

function invalid(message: string): PdppError {
  return new PdppError('invalid_argument', message)
}
