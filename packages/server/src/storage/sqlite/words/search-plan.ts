import type { IndexScope } from '../../../search/ranking/index-scope.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import { needsGrantedSet } from '../../words/searched-feed.ts'
import type { Handle } from '../engine/database.ts'
import { fieldsWithLongTexts } from './long-texts.ts'
import { keptPlans } from './plans/kept-plans.ts'
import { type SearchedFeed, type SearchedFeeds, searchedFeeds } from './searched-feeds.ts'

/** The feeds, fields and scope of a list of targets. */
export interface SearchPlan {
  readonly targets: readonly SearchedStream[]
  readonly feeds: SearchedFeeds
  /** The names of all searched fields. */
  readonly fields: readonly string[]
  /** Fields with texts that are too long to be indexed completely, whether or not the grant shows these texts. */
  readonly cut: readonly CutField[]
  scope: IndexScope | undefined
}

export interface CutField {
  readonly feed: SearchedFeed
  /** The name of the stream. */
  readonly name: string
  readonly field: string
}

export function searchPlan(handle: Handle, targets: readonly SearchedStream[]): SearchPlan {
  const { plans } = keptPlans(handle)
  const kept = plans.get(targets)
  if (kept) return kept
  const plan = handle.cachedWith(targets, () => makePlan(handle, targets))
  if (isKept(plan)) plans.set(targets, plan)
  return plan
}

function makePlan(handle: Handle, targets: readonly SearchedStream[]): SearchPlan {
  const feeds = searchedFeeds(handle, targets)
  const fields = [...new Set(targets.flatMap((target) => target.fields))]
  return { targets, feeds, cut: cutFields(handle, feeds), fields, scope: undefined }
}

/**
 * True if a write of records cannot change the plan. It can if a feed is not indexed yet, because the plan says whether
 * the feed has visible records. It also can if sets of single records are needed, because the version of the feed names
 * them.
 */
function isKept({ targets, feeds }: SearchPlan): boolean {
  const hasSets = targets.some(({ conditions }) => conditions.length > 0) || feeds.list.some(needsGrantedSet)
  return feeds.isComplete && !hasSets
}

function cutFields(handle: Handle, { list }: SearchedFeeds): CutField[] {
  const known = fieldsWithLongTexts(
    handle,
    list.map(({ feed }) => feed.feed),
  )
  return list.flatMap((feed) => {
    const long = known.get(feed.feed.feed)
    const fields = long ? feed.stream.fields.filter((field) => long.includes(field)) : []
    return fields.map((field) => ({ feed, name: feed.rows.scope.stream.name, field }))
  })
}
