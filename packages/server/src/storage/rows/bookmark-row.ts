import { storedJson } from '../../lib/stored-json.ts'
import type { ChangedFeed, Gap, SubscriptionFilters } from '../../subscriptions/subscription-store.ts'

/** A gap is stored as its place in this list. */
const GAPS: readonly Gap[] = ['none', 'next', 'now']

export const gapNumber = (gap: Gap): number => GAPS.indexOf(gap)

export interface ChangedRow {
  subject_id: string
  subscription_id: string
  grant_id: string
  body: string
  connector_key: string
  stream: string
  connection_id: string
  feed: number
  version: number
  gap: number
  present_feed: number
  present_version: number
}

export const changedFeed = (row: ChangedRow): ChangedFeed => ({
  subjectId: row.subject_id,
  subscriptionId: row.subscription_id,
  grantId: row.grant_id,
  filters: storedJson<{ filters: SubscriptionFilters }>(row.body).filters,
  connectorKey: row.connector_key,
  stream: row.stream,
  connectionId: row.connection_id,
  bookmark: row.feed === 0 ? undefined : { feed: row.feed, version: row.version },
  present: { feed: row.present_feed, version: row.present_version },
  gap: GAPS[row.gap]!,
})
