import { isToParent, PdppError, type Relationship, type StreamDeclaration } from '@pdpp/protocol'
import type { ReadAuthority } from '../../grants/authority.ts'
import { enforce } from '../../grants/enforce.ts'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import type { DeclaredSource } from '../../sources/declarations/source-service.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 50

/** A relation to expand. It goes one level deep and is limited by the grant of the related stream. */
export interface Expansion {
  readonly relation: Relationship
  /** The scope of the records, and that of the related records. */
  readonly from: ReadScope
  readonly related: ReadScope
  readonly limit: number
}

export interface ExpandRequest {
  readonly names: readonly string[]
  readonly limits: ReadonlyMap<string, string>
}

/** Relations that can be expanded. Children need a declaration; a parent does not, because it costs one lookup. */
export function expandable(
  stream: StreamDeclaration,
): { relation: Relationship; defaultLimit: number; maxLimit: number }[] {
  return (stream.relationships ?? []).flatMap((relation) => {
    const entry = stream.query?.expand?.find(({ name }) => name === relation.name)
    if (!entry && !isToParent(relation)) return []
    const maxLimit = entry?.max_limit ?? MAX_LIMIT
    return [{ relation, maxLimit, defaultLimit: Math.min(entry?.default_limit ?? DEFAULT_LIMIT, maxLimit) }]
  })
}

/** Describes exactly what enforcement allows (004.5.3). Streams outside the grant are not named. */
export function expandCapabilities(
  stream: StreamDeclaration,
  granted: (stream: string, field?: string) => boolean,
): ExpandCapability[] {
  const reachable = expandable(stream).filter(({ relation }) => granted(relation.stream))
  return reachable.map(({ relation, defaultLimit, maxLimit }) => {
    const toOne = relation.cardinality !== 'has_many'
    const usable = granted(isToParent(relation) ? stream.name : relation.stream, relation.foreign_key)
    return {
      name: relation.name,
      stream: stream.name,
      target_stream: relation.stream,
      cardinality: toOne ? 'has_one' : 'has_many',
      direction: isToParent(relation) ? 'to_parent' : 'to_children',
      child_parent_key_field: relation.foreign_key,
      foreign_key: relation.foreign_key,
      granted: true,
      usable,
      ...(toOne ? {} : { default_limit: defaultLimit, max_limit: maxLimit }),
      ...(usable ? {} : { reason: 'field_not_granted' }),
    }
  })
}

export interface ExpandCapability {
  readonly name: string
  readonly stream: string
  readonly target_stream: string
  readonly cardinality: 'has_one' | 'has_many'
  readonly direction: 'to_parent' | 'to_children'
  /** The child's field that contains the parent's key, under both names that clients use. */
  readonly child_parent_key_field: string
  readonly foreign_key: string
  readonly granted: true
  readonly usable: boolean
  readonly default_limit?: number
  readonly max_limit?: number
  readonly reason?: 'field_not_granted'
}

export function resolveExpand(
  authority: ReadAuthority,
  source: DeclaredSource,
  parent: ReadScope,
  request: ExpandRequest,
): Expansion[] {
  const stray = [...request.limits.keys()].find((name) => !request.names.includes(name))
  if (stray !== undefined) {
    throw invalid(`expand_limit[${stray}] needs expand=${stray}.`, `expand_limit[${stray}]`)
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
    // Do not name relations to streams outside the grant.
    const inReach = choices.filter(({ relation }) => isGranted(authority, relation.stream))
    const known = inReach.map(({ relation }) => relation.name).join(', ') || 'none'
    const message = `The stream "${parent.stream.name}" has no relation "${name.slice(0, 80)}" to expand. It has: ${known}.`
    throw invalid(message)
  }
  const { relation, defaultLimit, maxLimit } = chosen
  const number = limit === undefined ? defaultLimit : Number(limit)
  if (!Number.isInteger(number) || number < 1 || number > maxLimit) {
    const param = `expand_limit[${name}]`
    throw invalid(`${param} must be a whole number from 1 to ${maxLimit}.`, param)
  }
  return {
    relation,
    from: parent,
    related: relatedScope(authority, source, parent, relation),
    limit: relation.cardinality === 'has_many' ? number : 1,
  }
}

function isGranted(authority: ReadAuthority, stream: string): boolean {
  return authority.kind === 'owner' || authority.grant.streams.some(({ name }) => name === stream)
}

function relatedScope(
  authority: ReadAuthority,
  source: DeclaredSource,
  from: ReadScope,
  relation: Relationship,
): ReadScope {
  const related = isGranted(authority, relation.stream)
    ? enforce(authority, source, relation.stream, connectionOf(authority, from, relation))
    : undefined
  // Expanding reveals the foreign key, so the grant must include it.
  const child = isToParent(relation) ? from : related
  if (related && child && includesField(child.usable, relation.foreign_key)) return related
  const missing = related ? `the field "${relation.foreign_key}" of "${child?.stream.name}"` : 'a stream'
  const message = `Expanding "${relation.name}" needs ${missing} that the grant does not include.`
  throw new PdppError('insufficient_scope', message, { param: 'expand' })
}

/** The requested connection also applies to related records, if the grant of their stream includes it. */
function connectionOf(authority: ReadAuthority, from: ReadScope, relation: Relationship): { connectionId?: string } {
  const { chosenConnection } = from
  if (chosenConnection === undefined) return {}
  const reachable =
    authority.kind === 'owner' ||
    authority.grant.streams.some(
      ({ name, instance_ids: ids }) => name === relation.stream && ids.includes(chosenConnection),
    )
  return reachable ? { connectionId: chosenConnection } : {}
}

function invalid(message: string, param = 'expand'): PdppError {
  return new PdppError('invalid_expand', message, { param })
}
