import { usableNames } from '../grants/enforce.ts'
import type { ReadScope } from '../grants/read-scope.ts'

/** What a read is about to show, for its receipt. */
export interface Disclosure {
  readonly connectorKey: string | undefined
  readonly stream: string | undefined
  readonly connections: readonly string[]
  readonly fields: readonly string[]
  readonly records: readonly number[]
}

export function disclosureOf(scope: ReadScope, records: readonly number[]): Disclosure {
  return {
    connectorKey: scope.connectorKey,
    stream: scope.stream.name,
    connections: scope.connections,
    fields: usableNames(scope.stream, scope.projection),
    records,
  }
}
