import { usableNames } from '../grants/enforce.ts'
import type { ReadScope } from '../grants/read-scope.ts'

/** The records and fields that a read discloses, for its receipt. */
export interface Disclosure {
  /** The grant of the read. Undefined for the owner. */
  readonly grantId: string | undefined
  readonly connectorKey: string | undefined
  readonly stream: string | undefined
  readonly connections: readonly string[]
  readonly fields: readonly string[]
  readonly records: readonly number[]
}

/** Cached, because a scope serves many requests. */
const FIELDS = new WeakMap<ReadScope, readonly string[]>()

export function disclosureOf(scope: ReadScope, records: readonly number[]): Disclosure {
  return {
    grantId: grantOf(scope),
    connectorKey: scope.connectorKey,
    stream: scope.stream.name,
    connections: scope.connections,
    fields: fieldsOf(scope),
    records,
  }
}

function fieldsOf(scope: ReadScope): readonly string[] {
  const known = FIELDS.get(scope)
  if (known) return known
  const fields = usableNames(scope.stream, scope.projection)
  FIELDS.set(scope, fields)
  return fields
}

/** An aggregate discloses no single record, so its receipt names the fields that it was computed on. */
export function computedOn(scope: ReadScope, fields: readonly string[]): Disclosure {
  const { connectorKey, connections, stream } = scope
  return { grantId: grantOf(scope), connectorKey, connections, stream: stream.name, fields, records: [] }
}

const grantOf = ({ accessId }: ReadScope): string | undefined => (accessId === 'owner' ? undefined : accessId)
