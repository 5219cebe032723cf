import type { Authority } from '../grants/authority.ts'
import { includesField } from '../grants/read-scope.ts'
import { sortableFields } from '../records/paging/sort.ts'
import { boundedValues, cost } from './field-page.ts'
import { readingFields } from './reading-fields.ts'
import type { VisibleStream } from './schema-service.ts'

const VIEW_BYTES = 800

export function valuesOf({ frequentValues = {} }: VisibleStream, share = 1) {
  const bounded = boundedValues(frequentValues, share)
  return Object.keys(bounded).length > 0 ? { frequent_values: bounded } : {}
}

/** Views whose fields are all granted, because reading a view with a hidden field is refused. */
export function viewsOf({ declaration, scope }: VisibleStream, share: number) {
  const usable = (declaration.views ?? []).filter(({ fields }) =>
    fields.every((name) => includesField(scope.usable, name)),
  )
  let left = VIEW_BYTES * share
  const fitting = usable
    .map(({ id, fields }) => ({ id, fields }))
    .filter((view) => {
      left -= cost(JSON.stringify(view)) + 1
      return left >= 0
    })
  return {
    ...(fitting.length > 0 ? { views: fitting } : {}),
    ...(fitting.length < usable.length ? { more_views: usable.length - fitting.length } : {}),
  }
}

/** A request that works without changes and returns what a person would read. For packages it names a connection. */
export function example(authority: Authority, { declaration, scope }: VisibleStream): string {
  const sort = sortableFields(declaration).find((name) => includesField(scope.usable, name))
  const [connection] = scope.connections
  const parameters = {
    limit: '10',
    fields: readingFields(declaration, scope.usable),
    ...(sort === undefined ? {} : { sort: `-${sort}` }),
    ...(authority.kind === 'owner' ? { connector_id: scope.connectorKey } : {}),
    ...(authority.kind === 'package' && connection !== undefined ? { connection_id: connection } : {}),
  }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent)}`)
  return `GET /v1/streams/${encodeURIComponent(declaration.name)}/records?${query.join('&')}`
}
