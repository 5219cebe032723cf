import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { type AggregateRequest, fieldsOf, GROUP_LIMIT, resolveAggregate } from '../../aggregates/aggregate.ts'
import { aggregateBody } from '../../aggregates/aggregate-body.ts'
import { METRICS } from '../../aggregates/aggregate-store.ts'
import { chooseGranularity } from '../../aggregates/chosen-granularity.ts'
import { filterEcho } from '../../aggregates/filter-echo.ts'
import { measureUnit } from '../../aggregates/measure-unit.ts'
import { GRANULARITIES } from '../../aggregates/time-buckets.ts'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../environment.ts'
import { computedOn } from '../guards/read-receipts.ts'
import { Query } from '../request/query.ts'
import { sendJson, withMeta } from '../response/json-response.ts'
import { streamAuthority } from './stream-read.ts'

const PARAMETERS = [
  'metric',
  'field',
  'group_by',
  'group_by_time',
  'granularity',
  'time_zone',
  'order',
  'limit',
  'filter[field]',
  'connection_id',
  'connector_id',
]

/** GET /v1/streams/{stream}/aggregate */
export function readAggregate(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const read = {
      stream: c.req.param('stream')!,
      connectionId: query.connectionId,
      connectorKey: query.text('connector_id'),
    }
    const scope = await context.records.scope(await streamAuthority(context, c, read), read)
    const { aggregates } = context.storage
    const signal = c.get('signal')
    const asked = resolveAggregate(scope, readRequest(query), query.warnings)
    const { query: resolved, chosenBy } = await chooseGranularity(aggregates, scope, asked, signal)
    const result = await aggregates.aggregate(scope, resolved, signal)
    const unit = await measureUnit(aggregates, scope, resolved, { signal, warnings: query.warnings })
    const filter = filterEcho(scope, query.filters, resolved.conditions)
    const body = withMeta(query, aggregateBody(scope, resolved, result, { unit, chosenBy, filter }))
    const fields = new Set([...fieldsOf(asked), ...(unit.currencyField === undefined ? [] : [unit.currencyField])])
    return sendJson(c, JSON.stringify(body), computedOn(scope, [...fields]))
  }
}

function readRequest(query: Query): AggregateRequest {
  const metric = query.choice('metric', METRICS)
  if (metric === undefined)
    throw new PdppError('invalid_request', `The parameter metric is required: ${METRICS.join(', ')}.`, {
      param: 'metric',
    })
  return {
    metric,
    field: query.text('field'),
    groupBy: query.list('group_by') ?? [],
    groupByTime: query.text('group_by_time'),
    granularity: query.choice('granularity', GRANULARITIES),
    timeZone: query.text('time_zone'),
    order: query.choice('order', ['asc', 'desc']),
    limit: query.text('limit') === undefined ? undefined : query.clamped('limit', GROUP_LIMIT),
    filters: query.filters,
  }
}
