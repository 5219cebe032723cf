import { declaredFields, isTime } from '@pdpp/protocol/reading'
import { includesField } from '../../grants/read-scope.ts'
import { defaultSort } from '../../records/paging/sort.ts'
import type { NumberSet } from '../../search/ranking/index-scope.ts'
import type { SearchedStream } from '../../search/search-store.ts'
import type { Edition } from './edition.ts'

/** One feed that a search reads. */
export interface SearchedFeed {
  /** The position of its stream in the targets of the search. */
  readonly target: number
  readonly stream: SearchedStream
  readonly feed: { readonly feed: number; readonly connectionId: string }
  readonly edition: Edition
}

/** The numbers of records that satisfy conditions which the word index cannot check. */
export interface FeedSets<Feed extends SearchedFeed> {
  /** The records that the grant shows, with a name that changes whenever the set changes. */
  granted(feed: Feed): { readonly only: NumberSet; readonly name: string }
  /** The records that satisfy the request's conditions on some fields. Undefined if there are no such conditions. */
  requested(feed: Feed, isWanted: (field: string) => boolean): NumberSet | undefined
}

/** The time column of an edition that contains a field, if there is one. */
export function timeColumnOf({ edition, stream }: SearchedFeed, field: string): 0 | 1 | undefined {
  const at = edition.spec.times.findIndex((time) => time?.field === field && isTime(time.kind))
  // The field may have been declared differently since the edition was created.
  const kind = declaredFields(stream.scope.stream).get(field)
  return at >= 0 && kind === edition.spec.times[at]!.kind ? (at as 0 | 1) : undefined
}

/**
 * The time column that orders hits, if the grant includes its field, because nothing hidden may affect the order of an
 * answer.
 */
export function orderColumn({ edition, stream: { scope } }: SearchedFeed): 0 | 1 | undefined {
  const time = scope.stream.consent_time_field
  const field = time != null && includesField(scope.usable, time) ? time : defaultSort(scope)
  const at = edition.spec.times.findIndex((known) => known !== null && known.field === field)
  return at < 0 ? undefined : (at as 0 | 1)
}

/**
 * True if the index cannot tell which records the grant shows. That is so if the grant names single records, or limits
 * a time that is not indexed.
 */
export function needsGrantedSet(feed: SearchedFeed): boolean {
  const { time, resources } = feed.stream.scope
  return resources !== undefined || (time !== undefined && timeColumnOf(feed, time.field) === undefined)
}
