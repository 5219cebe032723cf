import type { Caller } from '../lib/caller.ts'
import { parentKey, type ScopedRecord } from '../records/record-store.ts'
import type { RecordUrls } from '../records/record-url.ts'
import { renderDescribed, renderRecord } from '../records/render.ts'
import type { Storage } from '../storage/contract.ts'
import type { Expansion } from './relation.ts'

/** The children of a page's records, read once per relation, never once per record. */
export class Expanded {
  readonly #relations: readonly ReadRelation[]
  readonly #urls: RecordUrls
  /** Of some parents only so many children are shown, of each relation. */
  readonly #shown = new Map<string, number>()

  private constructor(relations: readonly ReadRelation[], urls: RecordUrls) {
    this.#relations = relations
    this.#urls = urls
  }

  static async read(
    storage: Storage,
    expansions: readonly Expansion[],
    parents: readonly ScopedRecord[],
    { maxBytes, urls, caller }: { maxBytes: number; urls: RecordUrls; caller: Caller },
  ): Promise<Expanded> {
    const relations: ReadRelation[] = []
    for (const expansion of expansions) {
      await caller.pause()
      const { relation, child, limit } = expansion
      const children = await storage.records.children(child, {
        foreignKey: relation.foreign_key,
        parents,
        limit,
        maxBytes,
      })
      relations.push({ expansion, children })
    }
    return new Expanded(relations, urls)
  }

  /** Adds `expanded` to a rendered record. `small` describes large fields of children too. */
  addTo(row: string, parent: ScopedRecord, small = false): string {
    if (this.#relations.length === 0) return row
    const members = this.#relations.map(({ expansion, children }) => {
      const list = this.#listOf(children, parent)
      return `${JSON.stringify(expansion.relation.name)}:${renderChildren(expansion, this.#urls, list, small)}`
    })
    return `${row.slice(0, -1)},"expanded":{${members.join(',')}}}`
  }

  /** What a record's children disclose, by relation. */
  disclosed(parents: readonly ScopedRecord[]): { expansion: Expansion; numbers: number[] }[] {
    return this.#relations.map(({ expansion, children }) => ({
      expansion,
      numbers: parents.flatMap((parent) => this.#listOf(children, parent).records.map(({ number }) => number)),
    }))
  }

  /** Shows half as many children of a record as before; what is not shown is not disclosed either. */
  shorten(parent: ScopedRecord): void {
    const counts = this.#relations.map(({ children }) => this.#listOf(children, parent).records.length)
    this.#shown.set(parentKey(parent), Math.floor(Math.max(0, ...counts) / 2))
  }

  #listOf(children: ReadRelation['children'], parent: ScopedRecord): ChildList {
    const { records, hasMore } = children.get(parentKey(parent)) ?? { records: [], hasMore: false }
    const most = this.#shown.get(parentKey(parent)) ?? records.length
    return { records: records.slice(0, most), hasMore: hasMore || records.length > most }
  }
}

/** Beside a parent that is larger than its page, a child gets this much. */
const SMALL_CHILD_BYTES = 1000

interface ReadRelation {
  readonly expansion: Expansion
  readonly children: ReadonlyMap<string, ChildList>
}

interface ChildList {
  readonly records: ScopedRecord[]
  readonly hasMore: boolean
}

function renderChildren(
  { relation, child }: Expansion,
  urls: RecordUrls,
  { records, hasMore }: ChildList,
  small: boolean,
): string {
  const rows = records.map((record) =>
    small ? renderDescribed(child, urls, record, SMALL_CHILD_BYTES).row : renderRecord(child, urls, record),
  )
  if (relation.cardinality === 'has_one') return rows[0] ?? 'null'
  return `{"object":"list","has_more":${hasMore},"data":[${rows.join(',')}]}`
}
