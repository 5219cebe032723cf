import { type CursorSealer, PdppError } from '@pdpp/protocol'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { FieldCondition } from '../filter.ts'
import type { FeedPosition, PagePosition } from '../record-store.ts'
import {
  type PackedNumber,
  type PackedPositions,
  packNumber,
  packPositions,
  unpackNumber,
  unpackPositions,
} from './packed-position.ts'

/** Limits pages to one connection, and to one conversation, thread or album in it. */
export interface Neighbourhood {
  readonly connectionId: string
  readonly group: FieldCondition | undefined
}

export interface PageCursorPosition {
  readonly kind: 'page'
  readonly sort: string | undefined
  readonly order: 'asc' | 'desc'
  readonly after: PagePosition
  readonly within?: Neighbourhood | undefined
  /** True if the page contains the rows before the position. They are still shown in the same order. */
  readonly backward?: boolean
}

interface ChangesCursorPosition {
  readonly kind: 'changes'
  readonly since: readonly FeedPosition[]
  readonly horizon: readonly FeedPosition[]
}

/** Position in a sorted list or in a list of changes. */
export type CursorPosition = PageCursorPosition | ChangesCursorPosition

type Value = string | number | null | [string]
type Packed =
  | ['p', string | null, 'a' | 'd', Value, PackedNumber, ...([] | [string, string | null, Value, 0 | 1])]
  | ['c', PackedPositions, PackedPositions]

export class PageCursors {
  readonly #sealer: CursorSealer

  constructor(sealer: CursorSealer) {
    this.#sealer = sealer
  }

  /** `query` is everything else that the cursor is bound to, such as the filter. */
  seal(scope: ReadScope, position: CursorPosition, query: unknown = null): string {
    const isNear = position.kind === 'page' && position.within !== undefined
    return this.#sealer.seal(
      walkBinding(scope, query, isNear ? undefined : scope.chosenConnection),
      pack(position, scope.connections.length),
    )
  }

  /** A cursor for neighbours of a record contains its connection, so a request may name that connection again. */
  open(scope: ReadScope, cursor: string, query: unknown = null): CursorPosition {
    const { chosenConnection } = scope
    if (chosenConnection === undefined) return this.#opened(scope, cursor, query, undefined)
    try {
      return this.#opened(scope, cursor, query, chosenConnection)
    } catch (error) {
      const position = this.#opened(scope, cursor, query, undefined)
      if (position.kind === 'page' && position.within?.connectionId === chosenConnection) return position
      throw error
    }
  }

  #opened(scope: ReadScope, cursor: string, query: unknown, chosen: string | undefined): CursorPosition {
    return unpack(this.#sealer.open(walkBinding(scope, query, chosen), cursor) as Packed)
  }

  sealChanges(scope: ReadScope, versions: readonly FeedPosition[]): string {
    return this.#sealer.seal(changesBinding(scope), packPositions(versions, scope.connections.length))
  }

  /** Throws `cursor_expired` if a feed of the token was wiped or its connection deleted. */
  openChanges(scope: ReadScope, token: string, present: readonly FeedPosition[]): FeedPosition[] {
    if (token === 'beginning') return []
    if (token === 'now') return [...present]
    const versions = this.#bookmark(scope, token)
    requirePresent(versions, present, 'changes_since')
    return versions
  }

  #bookmark(scope: ReadScope, token: string): FeedPosition[] {
    try {
      return unpackPositions(this.#sealer.open(changesBinding(scope), token, 'changes_since') as PackedPositions)
    } catch (error) {
      if (!(error instanceof PdppError)) throw error
      const message =
        'changes_since must be "now", "beginning" or a next_changes_since that this token got for this stream and connection.'
      throw new PdppError(error.code, message, {
        param: 'changes_since',
        reason: 'changes',
      })
    }
  }
}

/** Throws if a feed no longer exists, because its versions are meaningless. */
export function requirePresent(known: readonly FeedPosition[], present: readonly FeedPosition[], param: string): void {
  if (known.every(({ feed }) => present.some((position) => position.feed === feed))) return
  throw new PdppError('cursor_expired', `Data that this ${param} refers to was removed.`, { param, reason: 'changes' })
}

const walkBinding = (scope: ReadScope, query: unknown, chosen: string | undefined): string =>
  binding('walk', scope, [scope.projection, query], chosen)
/** The next request may ask for other fields, because versions apply to all of them. */
const changesBinding = (scope: ReadScope): string => binding('changes', scope, null, scope.chosenConnection)

function binding(kind: string, scope: ReadScope, query: unknown, chosenConnection: string | null = null): string {
  const { subjectId, accessId, connectorKey, stream } = scope
  return JSON.stringify([kind, subjectId, accessId, connectorKey, stream.name, chosenConnection, query])
}

function pack(position: CursorPosition, connections: number): Packed {
  if (position.kind === 'changes')
    return ['c', packPositions(position.since, connections), packPositions(position.horizon, connections)]
  const { sort, order, after, within, backward } = position
  const near: [] | [string, string | null, Value, 0 | 1] = within
    ? [within.connectionId, within.group?.field ?? null, packValue(within.group?.value ?? null), backward ? 1 : 0]
    : []
  return ['p', sort ?? null, order === 'asc' ? 'a' : 'd', packValue(after.value), packNumber(after.number), ...near]
}

function unpack(packed: Packed): CursorPosition {
  if (packed[0] === 'c')
    return { kind: 'changes', since: unpackPositions(packed[1]), horizon: unpackPositions(packed[2]) }
  const [, sort, order, value, number, connectionId, field, group, backward] = packed
  const page = {
    kind: 'page' as const,
    sort: sort ?? undefined,
    order: order === 'a' ? ('asc' as const) : ('desc' as const),
    after: { value: unpackValue(value), number: unpackNumber(number) },
  }
  if (connectionId === undefined) return page
  const condition = field == null ? undefined : { field, operator: 'eq' as const, value: unpackValue(group ?? null)! }
  return { ...page, within: { connectionId, group: condition }, backward: backward === 1 }
}

/** JSON numbers are not exact beyond 2^53, so larger integers are packed as text in a list. */
const packValue = (value: string | number | bigint | null): Value =>
  typeof value === 'bigint' ? [String(value)] : value
const unpackValue = (value: Value): string | number | bigint | null => (Array.isArray(value) ? BigInt(value[0]) : value)
