import type { StreamDeclaration } from '@pdpp/protocol'
import { PdppError } from '@pdpp/protocol/reading'
import { requireUsable } from '../../grants/enforce.ts'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import type { CursorPosition } from './page-cursor.ts'

interface Order {
  /** Undefined means order of arrival. */
  readonly sort: string | undefined
  readonly order: 'asc' | 'desc'
}

type PagePositioned = Extract<CursorPosition, { kind: 'page' }>

/** Order of a page. A cursor contains its order, and arguments sent with the cursor must agree. */
export function chooseOrder(
  scope: ReadScope,
  request: { sort?: string | undefined; order?: 'asc' | 'desc' | undefined },
  position: PagePositioned | undefined,
): Order {
  const requested = parseSort(scope, request)
  if (!position) return requested
  const agrees = request.sort === undefined || requested.sort === position.sort
  const sameWay = (request.order === undefined && request.sort === undefined) || requested.order === position.order
  if (agrees && sameWay) return { sort: position.sort, order: position.order }
  throw new PdppError('invalid_cursor', 'This cursor came from a list in another order.', { param: 'cursor' })
}

function parseSort(
  scope: ReadScope,
  { sort, order }: { sort?: string | undefined; order?: 'asc' | 'desc' | undefined },
): Order {
  if (sort === undefined) return { sort: defaultSort(scope), order: order ?? 'desc' }
  const { field, order: direction } = sortTerm(sort)
  if (direction === undefined || (order !== undefined && order !== direction))
    throw invalidSort('sort and order contradict each other: write -field for descending.')
  requireUsable(scope, field, 'sort')
  const choices = sortableFields(scope.stream).filter((name) => includesField(scope.usable, name))
  if (!choices.includes(field)) {
    throw invalidSort(
      `"${scope.stream.name}" cannot be sorted by "${field}". Sort by: ${choices.join(', ') || '(nothing; records come in the order in which they arrived)'}.`,
    )
  }
  return { sort: field, order: direction }
}

/** Accepts `field`, `-field` and `field desc`. The order is undefined if the directions contradict. */
function sortTerm(sort: string): { field: string; order: 'asc' | 'desc' | undefined } {
  const descends = sort.startsWith('-')
  const [, field, word] = /^(.*\S)\s+(asc|desc)$/is.exec(sort.slice(descends ? 1 : 0)) ?? []
  if (field === undefined) return { field: sort.slice(descends ? 1 : 0), order: descends ? 'desc' : 'asc' }
  const direction = word!.toLowerCase() === 'desc' ? 'desc' : 'asc'
  return { field, order: descends && direction === 'asc' ? undefined : direction }
}

/** Without the cursor field, sort by arrival, because a hidden field must not influence the order. */
export function defaultSort({ stream, usable }: ReadScope): string | undefined {
  const field = stream.cursor_field
  return field != null && includesField(usable, field) ? field : undefined
}

/** The cursor field, the consent time and every field with a declared range. */
export function sortableFields(stream: StreamDeclaration): string[] {
  const names = [stream.cursor_field, stream.consent_time_field, ...Object.keys(stream.query?.range_filters ?? {})]
  return [...new Set(names.filter((name) => name != null))]
}

function invalidSort(message: string): PdppError {
  return new PdppError('invalid_sort', message, { param: 'sort' })
}
