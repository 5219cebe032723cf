import { declaredFields, previewChars } from '@pdpp/protocol'
import type { AggregateReader } from '../aggregates/aggregate-store.ts'
import { includesField, type ReadScope } from '../grants/read-scope.ts'
import { LruCache } from '../lib/caches/lru-cache.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { RecordReader } from '../records/record-store.ts'
import { byInterest } from './reading-fields.ts'

export interface ValueStores {
  readonly records: RecordReader
  readonly aggregates: AggregateReader
}

const MAX_FIELDS = 6
const MAX_VALUES = 8
/** Max. distinct values. A field with more is not a list of kinds, so its most frequent values say little. */
const MAX_DISTINCT = 1000
/**
 * Max. characters of a value, enough for names and media types. Cut values are marked, because a filter by them finds
 * nothing.
 */
const VALUE_CHARS = 100
/**
 * In streams of at least this many records, a sample is checked first. In the sample, a field with up to a thousand
 * values has many repetitions.
 */
const MIN_SAMPLED_RECORDS = 10_000
const SAMPLE_RECORDS = 500
const SAMPLE_BYTES = 1_000_000
const VARIED_SHARE = 0.9

export interface FrequentValue {
  readonly value: string | number
  readonly count: number
  readonly truncated?: true
}

export type FrequentValues = Record<string, FrequentValue[]>

/** Most frequent values of groupable fields in scope, such as senders or channels. */
export class FrequentValueReader {
  readonly #stores: ValueStores
  readonly #known = new LruCache<string, FrequentValues>(200)

  constructor(storage: ValueStores) {
    this.#stores = storage
  }

  async read(scope: ReadScope, signal?: RequestSignal): Promise<FrequentValues> {
    const { accessId, connectorKey, stream, connections } = scope
    // Counting scans an index, so the result is cached until the data changes.
    const versions = await this.#stores.records.versions(scope)
    const fields = groupableTexts(scope)
    const name = JSON.stringify([scope.subjectId, accessId, connectorKey, stream.name, connections, versions, fields])
    return this.#known.get(name) ?? this.#known.set(name, await this.#count(scope, fields, signal))
  }

  async #count(
    scope: ReadScope,
    fields: readonly string[],
    signal: RequestSignal | undefined,
  ): Promise<FrequentValues> {
    const values: FrequentValues = {}
    const varied = await this.#variedFields(scope, fields, signal)
    for (const field of fields.filter((name) => !varied.has(name))) {
      await signal?.yieldIfDue()
      const query = {
        metric: 'count',
        field: undefined,
        groupBy: [field],
        time: undefined,
        order: 'desc',
        limit: MAX_VALUES,
        conditions: [],
      } as const
      const { groups, groupCount } = await this.#stores.aggregates.aggregate(scope, query, signal)
      if (groupCount > MAX_DISTINCT) continue
      values[field] = groups.flatMap(({ keys: [key], count }) =>
        typeof key === 'string' ? [frequentValue(key, count)] : [],
      )
    }
    return values
  }

  /**
   * Finds fields whose value differs in nearly every record, from a sample of the newest records. Grouping by them
   * would scan all records for nothing.
   */
  async #variedFields(
    scope: ReadScope,
    fields: readonly string[],
    signal: RequestSignal | undefined,
  ): Promise<Set<string>> {
    if ((await this.#stores.records.count(scope, [], undefined, signal)) < MIN_SAMPLED_RECORDS) return new Set()
    const query = {
      sort: undefined,
      order: 'desc',
      after: undefined,
      limit: SAMPLE_RECORDS,
      maxBytes: SAMPLE_BYTES,
    } as const
    const { records } = await this.#stores.records.page(scope, query)
    const sample = records.map(({ json }) => JSON.parse(json) as Record<string, unknown>)
    return new Set(
      fields.filter((field) => {
        const found = sample.flatMap((record) => (typeof record[field] === 'string' ? [record[field]] : []))
        return found.length >= SAMPLE_RECORDS / 2 && new Set(found).size > found.length * VARIED_SHARE
      }),
    )
  }
}

function frequentValue(key: string, count: number): FrequentValue {
  const value = previewChars(key, VALUE_CHARS)
  return value === key ? { value, count } : { value, count, truncated: true }
}

function groupableTexts({ stream, usable }: ReadScope): string[] {
  const kinds = declaredFields(stream)
  const declared = stream.query?.aggregations?.group_by ?? []
  const texts = declared.filter((field) => includesField(usable, field) && kinds.get(field) === 'string')
  return byInterest(stream, usable, texts).slice(0, MAX_FIELDS)
}
