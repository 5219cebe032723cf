import { hash } from 'node:crypto'
import { type Grant, PdppError } from '@pdpp/protocol'
import { grantedConnections } from '../authority.ts'
import type { GrantRequest, GrantService } from '../grant-service.ts'
import { MAX_MEMBERS } from '../packages/package-service.ts'
import { endOf } from './access.ts'
import { instantOf, sinceOf, type WideningChoice } from './choice.ts'
import type { WideningSubject } from './subject.ts'
import { type Chosen, selectionOf, widened } from './wider-grant.ts'

/** The changes that an approval would make. */
export interface WideningDraft {
  readonly replaced: readonly { readonly grantId: string; readonly grant: Grant }[]
  /** Grants for further sources, with the requests that create them. */
  readonly added: readonly { readonly request: GrantRequest; readonly grant: Grant }[]
  /** For each new or replaced grant, the streams that change, in their new form. */
  readonly changed: readonly Grant[]
  readonly becomesPackage: boolean
  /** Reasons why it cannot be approved, as text for the owner. */
  readonly problems: readonly string[]
  /** Hash of everything that an approval would do. */
  readonly digest: string
}

/** Resolves a choice into the grants that an approval would create, without creating them. */
export async function draftWidening(
  grants: Pick<GrantService, 'draft'>,
  subjectId: string,
  subject: WideningSubject,
  choice: WideningChoice,
): Promise<WideningDraft> {
  const { access, offer } = subject
  const problems: string[] = []
  const chosen = offer.flatMap((part): Chosen[] => {
    const found = choice.parts.get(part.key)
    return found ? [[part, found]] : []
  })
  if (chosen.length === 0) problems.push('Tick at least one thing.')
  const since = sinceOf(choice.reach, access, subject.lacks)
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T[]> => {
    try {
      return [await work()]
    } catch (error) {
      if (!(error instanceof PdppError)) throw error
      problems.push(error.message)
      return []
    }
  }
  const inside = Map.groupBy(
    chosen.filter(([{ member }]) => member),
    ([{ member }]) => member!,
  )
  const replaced = (
    await Promise.all(
      [...inside].map(([{ grant }, parts]) =>
        attempt(() => ({ grantId: grant.grant_id, ...widened(grant, parts, since, subject) })),
      ),
    )
  ).flat()
  const outside = Map.groupBy(
    chosen.filter(([{ member }]) => !member),
    ([{ declaration }]) => declaration.connector_key,
  )
  const added = (
    await Promise.all(
      [...outside.values()].map((parts) =>
        attempt(async () => {
          const request = requestOf(subject, parts, since, choice)
          return { request, grant: await grants.draft(subjectId, request) }
        }),
      ),
    )
  ).flat()
  const members = (access?.members.length ?? 0) + added.length
  if (members > MAX_MEMBERS) problems.push(`An access can have at most ${MAX_MEMBERS} sources.`)
  const changed = [...replaced.map((one) => one.changed), ...added.map(({ grant }) => grant)]
  return {
    replaced: replaced.map(({ grantId, grant }) => ({ grantId, grant })),
    added,
    changed,
    becomesPackage: access?.kind === 'grant' && added.length > 0,
    problems,
    digest: digestOf(subject, replaced, added, choice),
  }
}

/** A grant for a source that the access does not read yet. It has the same purpose and promises as the access. */
function requestOf(
  { access, client, purpose }: WideningSubject,
  parts: readonly Chosen[],
  since: string | undefined,
  { end }: WideningChoice,
): GrantRequest {
  const ends = [access && endOf(access), timeOf(instantOf(end))].filter((one) => one !== undefined).sort()
  const streams = parts.map(([part, chosen]) => selectionOf(part, chosen, since))
  return {
    clientId: client.id,
    clientName: client.name,
    ...purpose,
    singleUse: access?.members[0]?.grant.access_mode === 'single_use',
    expiresAt: ends[0],
    connections: [...new Set(streams.flatMap(({ connections }) => connections ?? []))],
    streams,
  }
}

const timeOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString()

function digestOf(
  { access, client, lacks, offer }: WideningSubject,
  replaced: readonly { readonly grantId: string; readonly grant: Grant }[],
  added: WideningDraft['added'],
  { end }: WideningChoice,
): string {
  const had = access?.members.map(({ grant }) => [grant.grant_id, grant.source.connector_key])
  const facts = (grant: Grant) => [
    ...[grant.source, grant.purpose_code, grant.purpose_description, grant.access_mode, grant.retention, grant.streams],
    grantedConnections(grant),
  ]
  const offered = offer.map(({ key, connections, fields }) => [
    key,
    connections.map(({ displayName }) => displayName),
    fields,
  ])
  // The exact end moves until the owner decides, so the chosen term is compared instead.
  const terms = [end, access && endOf(access)]
  const all = [
    access?.id,
    had,
    client.id,
    lacks,
    terms,
    offered,
    replaced.map((one) => [one.grantId, facts(one.grant)]),
    added.map(({ grant }) => facts(grant)),
  ]
  return hash('sha256', JSON.stringify(all), 'base64url')
}
