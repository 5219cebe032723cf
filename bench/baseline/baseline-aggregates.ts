// The aggregates of the bench as hand-written SQL. Most statements read one connection after another along an index and
// add up the groups, which was the fastest way that was found. SQLite returns only the numbers of the answer.

import { BIG_STREAM } from '../data/source.ts'
import type { Baseline } from './baseline.ts'

const HOUR = 3_600_000_000
const DAY = 24 * HOUR
const SHOWN = 100

/** Summer time of Europe/Berlin: from 01:00 UTC on the last Sunday of March to the last Sunday of October. */
function summers(): string {
  const change = (year: number, month: number) => {
    const last = new Date(Date.UTC(year, month + 1, 0, 1))
    return (last.getTime() - last.getUTCDay() * 86_400_000) * 1000
  }
  const years = Array.from({ length: 12 }, (_, index) => 2016 + index)
  return years.map((year) => `sent_at >= ${change(year, 2)} and sent_at < ${change(year, 9)}`).join(' or ')
}

const LOCAL = `(sent_at + case when ${summers()} then ${2 * HOUR} else ${HOUR} end)`
const DAYS = `${LOCAL} / ${DAY}`
const MONTHS = `strftime('%Y-%m', ${LOCAL} / 1000000, 'unixepoch')`

export function rawAggregates(baseline: Baseline, feeds: readonly number[]) {
  const arms = (select: string, index: string, tail = '', union = 'union all') =>
    feeds
      .map(
        (feed) => `select ${select} from ${BIG_STREAM} indexed by ${BIG_STREAM}_${index} where feed = ${feed} ${tail}`,
      )
      .join(` ${union} `)
  const one = (sql: string) => {
    const statement = baseline.reads(sql)
    return () => (statement.get() as { n: number }).n
  }
  const many = (sql: string) => {
    const statement = baseline.reads(sql)
    return () => (statement.all() as { n: number }[]).map(({ n }) => n)
  }
  // An answer that lists some of the groups also has the number of all groups and their total.
  const groups = (keys: string, inner: string, order: string, limit: number) =>
    many(`with g as materialized (select ${keys}, sum(n) n from (${inner}) group by ${keys})
      select * from (select * from g order by ${order} limit ${limit}), (select count(*) groups, sum(n) total from g)
      order by ${order}`)
  return {
    count: one(`select sum(n) n from (${arms('count(*) n', 'feed')})`),
    'count where channel is letter': one(
      `select sum(n) n from (${arms('count(*) n', 'channel', "and channel = 'letter'")})`,
    ),
    'count where amount_cents >= 100,000': one(
      `select sum(n) n from (${arms('count(*) n', 'amount_cents', 'and amount_cents >= 100000')})`,
    ),
    'group_by channel': groups('k', arms('channel k, count(*) n', 'channel', 'group by k'), 'n desc, k', 10),
    'group_by author': groups('k', arms('author k, count(*) n', 'author', 'group by k'), 'n desc, k', 10),
    'group_by_time day, Europe/Berlin': groups('k', arms(`${DAYS} k, count(*) n`, 'sent_at', 'group by k'), 'k', SHOWN),
    'group_by_time month, Europe/Berlin': groups(
      'k',
      arms(`${MONTHS} k, count(*) n`, 'sent_at', 'group by k'),
      'k',
      SHOWN,
    ),
    'sum of amount_cents': one(`select sum(n) n from (${arms('sum(amount_cents) n', 'amount_cents')})`),
    'group_by channel and month': groups(
      'c, k',
      arms(`channel c, ${MONTHS} k, count(*) n`, 'channel', 'group by c, k'),
      'k, n desc, c',
      SHOWN,
    ),
    'sum of amount_cents by channel': groups(
      'k',
      `select channel k, sum(amount_cents) n from ${BIG_STREAM} where feed in (${feeds}) group by k`,
      'n desc, k',
      10,
    ),
    'count_distinct of author': one(`select count(*) n from (${arms('distinct author', 'author', '', 'union')})`),
  }
}
