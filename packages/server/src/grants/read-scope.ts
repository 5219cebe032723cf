import type { StreamDeclaration } from '@pdpp/protocol'

declare const enforced: unique symbol

/**
 * What one request may read of one stream. Every read of every store takes one, and only grants/enforce.ts makes
 * them (the `enforced` member cannot be written elsewhere), so a read without a decision does not type-check.
 */
export interface ReadScope {
  readonly [enforced]: true
  readonly subjectId: string
  /** Whose cursors these are: a grant, or the owner. */
  readonly accessId: string
  readonly connectorKey: string
  readonly stream: StreamDeclaration
  readonly connections: readonly string[]
  /** The one connection that the request chose, if it did. */
  readonly chosenConnection: string | undefined
  /** What may be filtered, sorted, grouped, searched or counted on. */
  readonly usable: FieldSet
  /** What is shown: exactly the requested fields, all of them usable. */
  readonly projection: FieldSet
  readonly time: TimeRange | undefined
  /** Canonical keys, when the grant is for certain records only. */
  readonly resources: readonly string[] | undefined
}

/** "all" is the owner's: also fields that the declaration does not name. */
export type FieldSet = 'all' | readonly string[]

export interface TimeRange {
  readonly field: string
  /** Microseconds; inclusive and exclusive. */
  readonly since: number | undefined
  readonly until: number | undefined
}

export function includesField(set: FieldSet, name: string): boolean {
  return set === 'all' || set.includes(name)
}
