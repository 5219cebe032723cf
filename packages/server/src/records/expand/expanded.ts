import { isToParent } from '@pdpp/protocol'
import type { RequestSignal } from '../../lib/request-signal.ts'
import { parentKey, type RecordReader, type ScopedRecord } from '../record-store.ts'
import type { RecordUrls } from '../record-url.ts'
import { renderDescribed, renderRecord } from '../render.ts'
import { inReadingOrder } from './reading-order.ts'
import type { Expansion } from './relation.ts'

export interface ExpandOptions {
  readonly maxBytes: number
  readonly urls: RecordUrls
  readonly signal: RequestSignal
}

/** The related records of a page. Reads once per relation, not once per record. */
export class Expanded {
  readonly #relations: readonly ReadRelation[]
  /** Max. children shown per relation, for records that were shortened. */
  readonly #maxChildren = new Map<string, number>()

  private constructor(relations: readonly ReadRelation[]) {
    this.#relations = relations
  }

  static async read(
    reader: RecordReader,
    expansions: readonly Expansion[],
    records: readonly ScopedRecord[],
    options: ExpandOptions,
  ): Promise<Expanded> {
    const relations: ReadRelation[] = []
    for (const expansion of expansions) {
      await options.signal.yieldIfDue()
      const read = isToParent(expansion.relation) ? readParents : readChildren
      relations.push(await read(reader, expansion, records, options))
    }
    return new Expanded(relations)
  }

  /** Adds `expanded` to a rendered record. `small` also describes large fields of the related records. */
  addTo(row: string, record: ScopedRecord, small = false): string {
    if (this.#relations.length === 0) return row
    const members = this.#relations.map(
      ({ expansion, render }) =>
        `${JSON.stringify(expansion.relation.name)}:${render(record, { small, maxChildren: this.#maxChildrenOf(record) })}`,
    )
    return `${row.slice(0, -1)},"expanded":{${members.join(',')}}}`
  }

  /** The related records that are shown with these records, per relation. A shared parent is listed once. */
  disclosed(records: readonly ScopedRecord[]): { expansion: Expansion; numbers: number[] }[] {
    return this.#relations.map(({ expansion, numbers }) => ({
      expansion,
      numbers: [...new Set(records.flatMap((record) => numbers(record, this.#maxChildrenOf(record))))],
    }))
  }

  /** Halves the number of shown children of a record. The others do not count as disclosed. */
  shorten(record: ScopedRecord): void {
    const maxChildren = this.#maxChildrenOf(record)
    const counts = this.#relations.map(({ count }) => Math.min(maxChildren, count(record)))
    this.#maxChildren.set(parentKey(record), Math.floor(Math.max(0, ...counts) / 2))
  }

  #maxChildrenOf(record: ScopedRecord): number {
    return this.#maxChildren.get(parentKey(record)) ?? Number.POSITIVE_INFINITY
  }
}

interface ReadRelation {
  readonly expansion: Expansion
  readonly render: (record: ScopedRecord, shown: { small: boolean; maxChildren: number }) => string
  readonly numbers: (record: ScopedRecord, maxChildren: number) => number[]
  /** Number of children. A parent is always shown. */
  readonly count: (record: ScopedRecord) => number
}

/** Max. bytes of a related record if the main record is larger than its page. */
const SMALL_BYTES = 1000

async function readChildren(
  reader: RecordReader,
  expansion: Expansion,
  records: readonly ScopedRecord[],
  { maxBytes, urls }: ExpandOptions,
): Promise<ReadRelation> {
  const { relation, related, limit } = expansion
  const query = { foreignKey: relation.foreign_key, parents: records, limit, maxBytes }
  const children = await reader.children(related, query)
  for (const list of children.values()) list.records = inReadingOrder(related, list.records)
  const listOf = (record: ScopedRecord, maxChildren = Number.POSITIVE_INFINITY) => {
    const { records: listed, hasMore } = children.get(parentKey(record)) ?? { records: [], hasMore: false }
    return { listed: listed.slice(0, maxChildren), hasMore: hasMore || listed.length > maxChildren }
  }
  return {
    expansion,
    render: (record, { small, maxChildren }) => {
      const { listed, hasMore } = listOf(record, maxChildren)
      const rows = listed.map((child) =>
        small ? renderDescribed(related, urls, child, SMALL_BYTES).row : renderRecord(related, urls, child),
      )
      if (relation.cardinality === 'has_one') return rows[0] ?? 'null'
      return `{"object":"list","has_more":${hasMore},"data":[${rows.join(',')}]}`
    },
    numbers: (record, maxChildren) => listOf(record, maxChildren).listed.map(({ number }) => number),
    count: (record) => listOf(record).listed.length,
  }
}

/**
 * Reads parents one at a time. Those beyond the size of the page are kept with large fields described, so that many
 * large parents are never in memory together. Hidden and missing parents are both null.
 */
async function readParents(
  reader: RecordReader,
  expansion: Expansion,
  records: readonly ScopedRecord[],
  { maxBytes, urls, signal }: ExpandOptions,
): Promise<ReadRelation> {
  const { relation, from, related } = expansion
  const describe = (parent: ScopedRecord) => renderDescribed(related, urls, parent, SMALL_BYTES).row
  const parents = new Map<number, { number: number; render: (small: boolean) => string }>()
  let bytes = 0
  const query = { from, foreignKey: relation.foreign_key, children: records }
  for await (const { parent, children } of reader.parents(related, query)) {
    await signal.yieldIfDue()
    bytes += parent.json.length
    const small = bytes > maxBytes ? describe(parent) : undefined
    const render =
      small === undefined
        ? (asked: boolean) => (asked ? describe(parent) : renderRecord(related, urls, parent))
        : () => small
    for (const child of children) parents.set(child, { number: parent.number, render })
  }
  return {
    expansion,
    render: (record, { small }) => parents.get(record.number)?.render(small) ?? 'null',
    numbers: (record) => [parents.get(record.number)?.number].filter((number) => number !== undefined),
    count: () => 0,
  }
}
