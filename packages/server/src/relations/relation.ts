import { PdppError, type Relationship, type StreamDeclaration } from '@pdpp/protocol'
import type { ReadAuthority } from '../grants/authority.ts'
import { type DeclaredSource, enforce } from '../grants/enforce.ts'
import { includesField, type ReadScope } from '../grants/read-scope.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 50

/** One relation to read beside each record: depth one, and limited by the grant of the child stream. */
export interface Expansion {
  readonly relation: Relationship
  readonly child: ReadScope
  readonly limit: number
}

export interface ExpandRequest {
  readonly names: readonly string[]
  readonly limits: ReadonlyMap<string, string>
}

/** What a stream lets be expanded, as its source declares it. */
export function expandable(
  stream: StreamDeclaration,
): { relation: Relationship; defaultLimit: number; maxLimit: number }[] {
  return (stream.query?.expand ?? []).flatMap((entry) => {
    const relation = stream.relationships?.find((candidate) => candidate.name === entry.name)
    if (!relation) return []
    const maxLimit = entry.max_limit ?? MAX_LIMIT
    return [{ relation, maxLimit, defaultLimit: Math.min(entry.default_limit ?? DEFAULT_LIMIT, maxLimit) }]
  })
}

export function resolveExpand(
  authority: ReadAuthority,
  source: DeclaredSource,
  parent: ReadScope,
  request: ExpandRequest,
): Expansion[] {
  const stray = [...request.limits.keys()].find((name) => !request.names.includes(name))
  if (stray !== undefined) {
    throw invalid(`expand_limit[${stray}] goes with expand=${stray}.`, parent, `expand_limit[${stray}]`)
  }
  return [...new Set(request.names)].map((name) =>
    resolveOne(authority, source, parent, name, request.limits.get(name)),
  )
}

function resolveOne(
  authority: ReadAuthority,
  source: DeclaredSource,
  parent: ReadScope,
  name: string,
  limit: string | undefined,
): Expansion {
  const choices = expandable(parent.stream)
  const chosen = choices.find(({ relation }) => relation.name === name)
  if (!chosen) {
    // Relations that lead out of the grant are not named.
    const inReach = choices.filter(({ relation }) => isGranted(authority, relation.stream))
    const known = inReach.map(({ relation }) => relation.name).join(', ') || 'none'
    const message = `The stream "${parent.stream.name}" has no relation "${name.slice(0, 80)}" to expand. It has: ${known}.`
    throw invalid(message, parent)
  }
  const { relation, defaultLimit, maxLimit } = chosen
  const number = limit === undefined ? defaultLimit : Number(limit)
  if (!Number.isInteger(number) || number < 1 || number > maxLimit) {
    const param = `expand_limit[${name}]`
    throw invalid(`${param} must be a whole number from 1 to ${maxLimit}.`, parent, param)
  }
  return {
    relation,
    child: childScope(authority, source, parent, relation),
    limit: relation.cardinality === 'has_one' ? 1 : number,
  }
}

function isGranted(authority: ReadAuthority, stream: string): boolean {
  return authority.kind === 'owner' || authority.grant.streams.some(({ name }) => name === stream)
}

function childScope(
  authority: ReadAuthority,
  source: DeclaredSource,
  parent: ReadScope,
  relation: Relationship,
): ReadScope {
  const child = isGranted(authority, relation.stream)
    ? enforce(authority, source, relation.stream, connectionOf(authority, parent, relation))
    : undefined
  // The foreign key is told by what stands under which record: it must be readable too.
  if (child && includesField(child.usable, relation.foreign_key)) return child
  const missing = child ? `the field "${relation.foreign_key}" of "${relation.stream}"` : 'a stream'
  const message = `Expanding "${relation.name}" needs ${missing} that the grant does not include.`
  throw new PdppError('insufficient_scope', message, { param: 'expand' })
}

/** A connection chosen for the parent holds for its children, where the child's grant has it. */
function connectionOf(authority: ReadAuthority, parent: ReadScope, relation: Relationship): { connectionId?: string } {
  const { chosenConnection } = parent
  if (chosenConnection === undefined) return {}
  const reachable =
    authority.kind === 'owner' ||
    authority.grant.streams.some(
      ({ name, instance_ids: ids }) => name === relation.stream && ids.includes(chosenConnection),
    )
  return reachable ? { connectionId: chosenConnection } : {}
}

function invalid(message: string, { stream }: ReadScope, param = 'expand'): PdppError {
  return new PdppError('invalid_expand', message, {
    param,
    nextStep: `Call GET /v1/schema?stream=${stream.name} (the schema tool) for the relations of the stream "${stream.name}".`,
  })
}
