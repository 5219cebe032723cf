import { readField } from '../../packages/server/src/records/field-window/field-window-service.ts'
import { idOf, LONG_RECORD } from '../data/generator.ts'
import { BIG_STREAM, SOURCE } from '../data/source.ts'
import { filterCases } from './filter-cases.ts'
import { FIELDS, PAGE, type ReadSetup } from './read-setup.ts'
import type { Reading } from './reads.ts'

export interface ReadCase {
  readonly name: string
  /** True for a page of 25 records. Both sides must return the same records. */
  readonly page?: boolean
  /** Max. ratio of the store to raw SQL. Defaults to STORE_GOAL for pages, and to no goal for other reads. */
  readonly goal?: number
  readonly raw: () => unknown
  readonly store: () => Promise<unknown>
  readonly path: string | (() => string)
  /** Defaults to the token of the wide grant. */
  readonly token?: string
}

export const STORE_GOAL = 1.5
const ROUTE = `/v1/streams/${BIG_STREAM}/records`

export function readCases(reading: Reading, setup: ReadSetup): ReadCase[] {
  const { server, baseline, feeds } = reading
  const { context } = server
  const { records } = context.storage
  const { first, authority, query, changes, raw } = setup
  const { one, merged, projected, within, body } = setup.scopes
  let turn = 0
  const someKey = (step: number) => idOf(first, (Math.imul(step, 7919) >>> 0) % first.count)
  const whole = baseline.page(BIG_STREAM, 'sent_at', raw.all, PAGE + 1)
  const find = baseline.find(BIG_STREAM, raw.all)
  const spans = feeds.map((feed) => baseline.span(feed.stream, feed.index))
  const longKey = idOf(first, LONG_RECORD)
  const connection = `connection_id=${first.connectionId}`
  return [
    {
      name: 'first page, one connection',
      page: true,
      raw: baseline.page(BIG_STREAM, 'sent_at', [first.index], PAGE + 1),
      store: () => records.page(one, query),
      path: `${ROUTE}?${connection}`,
    },
    {
      name: 'first page, five connections merged',
      page: true,
      raw: baseline.page(BIG_STREAM, 'sent_at', raw.all, PAGE + 1),
      store: () => records.page(merged, query),
      path: ROUTE,
    },
    ...[setup.near, setup.deep].map(({ depth, after, cursor }) => ({
      name: `keyset page, ${depth.toLocaleString('en')} records deep, merged`,
      page: true,
      raw: baseline.page(
        BIG_STREAM,
        'sent_at',
        raw.all,
        PAGE + 1,
        '(r.sent_at, r.id) < (?, ?)',
        after.value,
        after.number,
      ),
      store: () => records.page(merged, { ...query, after }),
      path: `${ROUTE}?cursor=${encodeURIComponent(cursor)}`,
    })),
    {
      name: 'page sorted by amount_cents, merged',
      page: true,
      raw: baseline.page(BIG_STREAM, 'amount_cents', raw.all, PAGE + 1),
      store: () => records.page(merged, { ...query, sort: 'amount_cents' }),
      path: `${ROUTE}?sort=-amount_cents`,
    },
    ...filterCases(reading, setup),
    {
      name: 'page of 5 projected fields, merged',
      page: true,
      raw: () => whole().map(({ data }) => pick(data)),
      store: () => records.page(projected, query),
      path: `${ROUTE}?fields=${FIELDS}`,
    },
    {
      name: 'page under a time-limited grant, merged',
      page: true,
      raw: baseline.page(BIG_STREAM, 'sent_at', raw.all, PAGE + 1, 'r.sent_at >= ?', raw.sinceLimit),
      store: () => records.page(within, query),
      path: ROUTE,
      token: setup.limitedToken,
    },
    {
      name: 'record by key',
      goal: STORE_GOAL,
      raw: () => find(someKey(turn++)),
      store: () => records.find(merged, someKey(turn++)),
      path: () => `${ROUTE}/${someKey(turn++)}`,
    },
    {
      name: 'changes from the beginning, 100',
      raw: baseline.changes(BIG_STREAM, first.index, 0, 101),
      store: () => records.changes(one, { ...changes, since: [] }),
      path: `${ROUTE}?${connection}&limit=100&changes_since=beginning`,
    },
    {
      name: 'changes, the last 100',
      raw: baseline.changes(BIG_STREAM, first.index, raw.since, 101),
      store: () => records.changes(one, changes),
      path: `${ROUTE}?${connection}&limit=100&changes_since=${setup.changesSince}`,
    },
    {
      name: 'schema, compact, 4 streams of 5 connections',
      raw: () => spans.map((span) => span()),
      store: async () => {
        for (const stream of SOURCE.streams)
          await records.statistics(await context.records.scope(authority, { stream: stream.name }))
      },
      path: '/v1/schema?view=compact',
    },
    {
      name: 'field window, 4,096 of 20,000 characters',
      raw: baseline.textWindow(BIG_STREAM, first.index, longKey, 8000, 4096),
      store: async () =>
        readField(body, (await records.find(body, longKey))[0]!, 'body', { offsetChars: 8000, limitChars: 4096 }),
      path: `${ROUTE}/${longKey}/field-window?field=body&offset_chars=8000&limit_chars=4096`,
    },
  ]
}

function pick(data: string): string {
  const record = JSON.parse(data) as Record<string, unknown>
  return JSON.stringify(Object.fromEntries(FIELDS.map((name) => [name, record[name]])))
}
