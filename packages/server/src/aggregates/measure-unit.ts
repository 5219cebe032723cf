import { declaredFields, previewChars, resolveProperty, type StreamDeclaration, type Warning } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../grants/read-scope.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { AggregateQuery, AggregateReader } from './aggregate-store.ts'

/** Unit and currency of a result, if the source declares them. */
export interface MeasureUnit {
  readonly unit?: string
  /** Set if all counted records have the same currency. */
  readonly currency?: string
  /** The field with the currency of each record. The receipt lists it, because the answer reveals part of it. */
  readonly currencyField?: string
}

const UNIT_CHARS = 40
const CURRENCY_NAMES = ['currency', 'currency_code']
const MAX_NAMED = 5

/**
 * Finds the unit of a sum, because a sum without a unit is hard to use. The unit is declared with the field; the
 * currency is in another field of the record, which is read under the same grant and filter.
 */
export async function measureUnit(
  aggregates: AggregateReader,
  scope: ReadScope,
  query: AggregateQuery,
  { signal, warnings }: { readonly signal: RequestSignal; readonly warnings: Warning[] },
): Promise<MeasureUnit> {
  const { field, metric, groupBy, conditions } = query
  if (field === undefined || metric === 'count_distinct') return {}
  const property = propertyOf(scope.stream, field)
  const unit = property['x_pdpp_unit']
  const declaredUnit = typeof unit === 'string' && unit !== '' && unit.length <= UNIT_CHARS ? { unit } : {}
  const currencyField = property['x_pdpp_type'] === 'currency' ? currencyFieldOf(scope) : undefined
  if (currencyField === undefined || groupBy.includes(currencyField)) return declaredUnit
  const { groups } = await aggregates.aggregate(
    scope,
    {
      metric: 'count',
      field: undefined,
      groupBy: [currencyField],
      time: undefined,
      order: 'desc',
      limit: MAX_NAMED,
      conditions,
    },
    signal,
  )
  const currencies = groups.map(({ keys }) => keys[0]).filter((key) => typeof key === 'string')
  if (currencies.length > 1) {
    const isGroupable = scope.stream.query?.aggregations?.group_by?.includes(currencyField) === true
    warnings.push({
      code: 'mixed_currencies',
      message: `The records are in ${currencies.length === MAX_NAMED ? 'several' : currencies.length} currencies, and nothing was converted: filter ${isGroupable ? 'or group ' : ''}by "${currencyField}".`,
      param: 'field',
      field: currencyField,
    })
  }
  return {
    ...declaredUnit,
    ...(groups.length === 1 && currencies[0] ? { currency: previewChars(currencies[0], UNIT_CHARS) } : {}),
    currencyField,
  }
}

function currencyFieldOf({ stream, usable }: ReadScope): string | undefined {
  const declared = declaredFields(stream)
  return CURRENCY_NAMES.find((name) => declared.get(name) === 'string' && includesField(usable, name))
}

function propertyOf({ schema }: StreamDeclaration, field: string): Readonly<Record<string, unknown>> {
  const property = (schema['properties'] as Record<string, unknown>)[field]
  return { ...resolveProperty(property, schema), ...(property as object) }
}
