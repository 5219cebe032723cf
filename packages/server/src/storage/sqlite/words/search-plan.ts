import type { IndexScope } from '../../../search/ranking/index-scope.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import type { Handle } from '../engine/database.ts'
import { fieldsWithLongTexts } from './long-texts.ts'
import { type SearchedFeed, type SearchedFeeds, searchedFeeds } from './searched-feeds.ts'

/** The feeds, fields and scope of a list of targets. Valid until anything is written. */
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
  return handle.cachedWith(targets, () => {
    const feeds = searchedFeeds(handle, targets)
    const fields = [...new Set(targets.flatMap((target) => target.fields))]
    return { targets, feeds, cut: cutFields(handle, feeds), fields, scope: undefined }
  })
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
