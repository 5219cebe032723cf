import { declaredFields, previewChars } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../grants/read-scope.ts'
import type { Caller } from '../lib/caller.ts'
import { LruCache } from '../lib/lru-cache.ts'
import type { Storage } from '../storage/contract.ts'

const MOST_FIELDS = 6
const MOST_VALUES = 8
/** A field with more different values than this is not a list of kinds: its commonest ones say little. */
const SMALL = 1000
/** Long enough for names and media types. What is cut is marked: a filter by a cut value would find nothing. */
const VALUE_CHARS = 100

interface FrequentValue {
  readonly value: string | number
  readonly count: number
  readonly truncated?: true
}

export type FrequentValues = Record<string, FrequentValue[]>

/** Who is in here, which channels: the commonest values of groupable fields, as far as the scope shows them. */
export class FrequentValueReader {
  readonly #storage: Storage
  readonly #known = new LruCache<string, FrequentValues>(200)

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async read(scope: ReadScope, caller?: Caller): Promise<FrequentValues> {
    const { holder, connectorKey, stream, connections } = scope
    // Counting walks an index: once for each state of the data is enough.
    const versions = await this.#storage.records.versions(scope)
    const fields = groupableTexts(scope)
    const name = JSON.stringify([scope.subjectId, holder, connectorKey, stream.name, connections, versions, fields])
    return this.#known.get(name) ?? this.#known.set(name, await this.#count(scope, fields, caller))
  }

  async #count(scope: ReadScope, fields: readonly string[], caller: Caller | undefined): Promise<FrequentValues> {
    const values: FrequentValues = {}
    for (const field of fields) {
      await caller?.pause()
      const query = {
        metric: 'count',
        field: undefined,
        groupBy: [field],
        time: undefined,
        order: 'desc',
        limit: MOST_VALUES,
        conditions: [],
      } as const
      const { groups, groupCount } = await this.#storage.aggregates.aggregate(scope, query, caller)
      if (groupCount > SMALL) continue
      values[field] = groups.flatMap(({ keys: [key], count }) =>
        typeof key === 'string' ? [frequentValue(key, count)] : [],
      )
    }
    return values
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
  return texts.slice(0, MOST_FIELDS)
}
