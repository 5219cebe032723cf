import type { IndexScope } from '../../../search/ranking/index-scope.ts'
import { OpenScope } from '../../../search/ranking/open-scope.ts'
import type { IndexSnapshot } from '../../../search/segments/index-snapshot.ts'
import { CACHE_BYTES } from '../../cache-limits.ts'
import { type ExampleWords, NO_EXAMPLES } from '../../contract.ts'
import { indexScope } from '../../words/search-scope.ts'
import type { FeedSets } from '../../words/searched-feed.ts'
import type { SharedColumns } from '../../words/shared-columns.ts'
import type { Handle } from '../engine/database.ts'
import type { SearchPlan } from './search-plan.ts'
import type { SearchedFeed } from './searched-feeds.ts'
import { WordIndexReader } from './word-index-reader.ts'

const MAX_OWNERS = 4

/** The scope of a list of targets, and the editions of its feeds. */
interface TargetScope {
  readonly editions: readonly number[]
  readonly scope: IndexScope
}

/** The word indexes of owners that one thread has open, and the scopes of grants over them. */
export class OpenIndexes {
  readonly #handle: Handle
  readonly #sets: FeedSets<SearchedFeed>
  readonly #shared: SharedColumns | undefined
  readonly #indexes = new Map<number, WordIndexReader>()
  readonly #scopes = new Map<string, OpenScope>()
  readonly #targetScopes = new WeakMap<SearchPlan['targets'], TargetScope>()
  /** The scope that was used last. It is still right if neither it nor the segments have changed. */
  #last: { scope: IndexScope; opened: OpenScope; segments: IndexSnapshot['segments'] } | undefined

  constructor(handle: Handle, sets: FeedSets<SearchedFeed>, shared?: SharedColumns) {
    this.#handle = handle
    this.#sets = sets
    this.#shared = shared
  }

  /** Call in the read transaction of a search. Undefined if there is no index. */
  open(plan: SearchPlan): { index: IndexSnapshot; scope: OpenScope } | undefined {
    const owner = plan.feeds.list[0]?.edition.owner
    if (owner === undefined) return
    const index = this.#index(owner).refresh()
    return { index, scope: this.#scope(owner, this.#indexScope(plan), index) }
  }

  /** Loads the documents of all indexes. Returns some words of the largest segment. */
  load(): ExampleWords {
    const owners = this.#handle.column<number>('select owner from word_owner order by owner limit ?', MAX_OWNERS)
    const segments = owners.flatMap((owner) => this.#index(owner).refresh().segments)
    const sizes = segments.map(({ columns }) => columns.count)
    const largest = segments[sizes.indexOf(Math.max(...sizes))]
    return largest ? largest.words.examples(largest.columns.count) : NO_EXAMPLES
  }

  #index(owner: number): WordIndexReader {
    const known = this.#indexes.get(owner) ?? new WordIndexReader(this.#handle, owner, this.#shared)
    this.#indexes.delete(owner)
    this.#indexes.set(owner, known)
    if (this.#indexes.size > MAX_OWNERS) this.#indexes.delete(this.#indexes.keys().next().value!)
    return known
  }

  /**
   * Caches the scope unless it contains a set of single records, which may be large. A write invalidates the plan, but
   * not a scope of the same targets and editions.
   */
  #indexScope(plan: SearchPlan): IndexScope {
    if (plan.scope) return plan.scope
    const { targets, feeds } = plan
    const editions = feeds.list.map(({ edition }) => edition.edition)
    const known = this.#targetScopes.get(targets)
    if (known && known.editions.length === editions.length && editions.every((one, at) => one === known.editions[at])) {
      plan.scope = known.scope
      return known.scope
    }
    const made = indexScope(feeds.list, this.#sets)
    if ([...made.editions.values()].every(({ only }) => only === undefined)) {
      plan.scope = made
      this.#targetScopes.set(targets, { editions, scope: made })
    }
    return made
  }

  /** Drops the least recently used scopes to make space. */
  #scope(owner: number, scope: IndexScope, index: WordIndexReader): OpenScope {
    const last = this.#last
    if (last?.scope === scope && last.segments === index.segments) return last.opened
    const name = `${owner}\n${scope.name}`
    const opened = this.#scopes.get(name) ?? new OpenScope(scope)
    this.#last = { scope, opened, segments: index.segments }
    opened.update(index)
    this.#scopes.delete(name)
    let bytes = opened.bytes
    for (const other of this.#scopes.values()) bytes += other.bytes
    for (const [oldest, other] of this.#scopes) {
      if (bytes <= CACHE_BYTES.scopes) break
      this.#scopes.delete(oldest)
      bytes -= other.bytes
    }
    this.#scopes.set(name, opened)
    return opened
  }
}
