import type { StreamDeclaration } from '@pdpp/protocol'

declare const enforced: unique symbol

/**
 * The part of one stream that one request may read. Every read of every store needs a ReadScope, and only enforce.ts
 * can make one, because the `enforced` symbol is not exported. So a read without an access check does not type-check.
 */
export interface ReadScope {
  readonly [enforced]: true
  readonly subjectId: string
  /** The id that cursors are bound to: a grant id, or "owner". */
  readonly accessId: string
  readonly connectorKey: string
  readonly stream: StreamDeclaration
  readonly connections: readonly string[]
  /** The single connection that the request chose, if any. */
  readonly chosenConnection: string | undefined
  /** Fields that a request may filter, sort, group, search or count by. */
  readonly usable: FieldSet
  /** Fields that the answer contains: exactly the requested ones, all of them usable. */
  readonly projection: FieldSet
  readonly time: TimeRange | undefined
  /** Canonical record keys, if the grant is limited to certain records. */
  readonly resources: readonly string[] | undefined
}

/** "all" is for the owner only and includes undeclared fields. */
export type FieldSet = 'all' | readonly string[]

export interface TimeRange {
  readonly field: string
  /** Microseconds, inclusive. */
  readonly since: number | undefined
  /** Microseconds, exclusive. */
  readonly until: number | undefined
}

export function includesField(set: FieldSet, name: string): boolean {
  return set === 'all' || set.includes(name)
}
