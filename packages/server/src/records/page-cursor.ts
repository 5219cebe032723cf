import { type CursorSealer, PdppError } from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import type { FeedPosition, PagePosition } from './record-store.ts'

/** Where a walk over a stream stands: in an order, or in its changes. */
export type WalkPosition =
  | {
      readonly kind: 'page'
      readonly sort: string | undefined
      readonly order: 'asc' | 'desc'
      readonly after: PagePosition
    }
  | { readonly kind: 'changes'; readonly since: readonly FeedPosition[]; readonly horizon: readonly FeedPosition[] }

type Packed = ['p', string | null, 'a' | 'd', string | number | null | [string], number] | ['c', number[], number[]]

export class PageCursors {
  readonly #sealer: CursorSealer

  constructor(sealer: CursorSealer) {
    this.#sealer = sealer
  }

  seal(scope: ReadScope, position: WalkPosition): string {
    return this.#sealer.seal(walkBinding(scope), pack(position))
  }

  open(scope: ReadScope, cursor: string): WalkPosition {
    return unpack(this.#sealer.open(walkBinding(scope), cursor) as Packed)
  }

  sealChanges(scope: ReadScope, versions: readonly FeedPosition[]): string {
    return this.#sealer.seal(changesBinding(scope), flatten(versions))
  }

  /** Expired when a stream that it counted on was wiped or its connection removed: its versions mean nothing now. */
  openChanges(scope: ReadScope, token: string, present: readonly FeedPosition[]): FeedPosition[] {
    if (token === 'beginning') return []
    const versions = unflatten(this.#sealer.open(changesBinding(scope), token, 'changes_since') as number[])
    if (versions.every(({ feed }) => present.some((position) => position.feed === feed))) return versions
    throw new PdppError('cursor_expired', 'What this changes_since counted on has been removed.', {
      param: 'changes_since',
      nextStep: 'Drop your copy of the stream and start again with changes_since=beginning.',
    })
  }
}

const walkBinding = (scope: ReadScope): string => binding('walk', scope, scope.projection)
/** Other fields may be asked for in the next walk: versions count for all of them. */
const changesBinding = (scope: ReadScope): string => binding('changes', scope, null)

function binding(kind: string, scope: ReadScope, projection: unknown): string {
  return JSON.stringify([
    kind,
    scope.subjectId,
    scope.holder,
    scope.connectorKey,
    scope.stream.name,
    scope.chosenConnection ?? null,
    projection,
  ])
}

function pack(position: WalkPosition): Packed {
  if (position.kind === 'changes') return ['c', flatten(position.since), flatten(position.horizon)]
  const { value, number } = position.after
  return [
    'p',
    position.sort ?? null,
    position.order === 'asc' ? 'a' : 'd',
    typeof value === 'bigint' ? [String(value)] : value,
    number,
  ]
}

function unpack(packed: Packed): WalkPosition {
  if (packed[0] === 'c') return { kind: 'changes', since: unflatten(packed[1]), horizon: unflatten(packed[2]) }
  const [, sort, order, value, number] = packed
  const after = { value: Array.isArray(value) ? BigInt(value[0]) : value, number }
  return { kind: 'page', sort: sort ?? undefined, order: order === 'a' ? 'asc' : 'desc', after }
}

const flatten = (positions: readonly FeedPosition[]): number[] =>
  positions.flatMap(({ feed, version }) => [feed, version])

function unflatten(numbers: readonly number[]): FeedPosition[] {
  const positions: FeedPosition[] = []
  for (let index = 0; index < numbers.length; index += 2)
    positions.push({ feed: numbers[index]!, version: numbers[index + 1]! })
  return positions
}
