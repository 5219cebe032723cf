// Filtered pages and counts. Pages are sorted by the filtered field or by another one.

import { threadOf } from '../data/generator.ts'
import { BIG_STREAM } from '../data/source.ts'
import type { ReadCase } from './read-cases.ts'
import { PAGE, type ReadSetup } from './read-setup.ts'
import type { Reading } from './reads.ts'

const ROUTE = `/v1/streams/${BIG_STREAM}/records`
const LARGE = 100_000

export function filterCases({ server, baseline }: Reading, { scopes, query, raw }: ReadSetup): ReadCase[] {
  const { records } = server.context.storage
  const { merged } = scopes
  const letter = { field: 'channel', operator: 'eq', value: 'letter' } as const
  const large = { field: 'amount_cents', operator: 'gte', value: LARGE } as const
  const sorted = { ...query, sort: 'amount_cents' }
  const page = (column: string, index: string, where: string) => {
    const rows = `select r.id, r.${column} position from ${BIG_STREAM} r indexed by ${BIG_STREAM}_${index}
      where r.feed in (select value from json_each(?)) and ${where} order by r.${column} desc, r.id desc limit ${PAGE + 1}`
    const sql = `select r.* from (${rows}) x join ${BIG_STREAM} r on r.id = x.id order by x.position desc, x.id desc`
    const [statement, chosen] = [baseline.reads(sql), JSON.stringify(raw.all)]
    return () => statement.all(chosen)
  }
  const count = (index: string, where: string) => {
    const rows = `${BIG_STREAM} indexed by ${BIG_STREAM}_${index}`
    const statement = baseline.reads(`select count(*) n from ${rows} where feed in (${raw.all}) and ${where}`)
    return () => statement.get()
  }
  const scan = (where: string) => {
    const statement = baseline.reads(
      `select * from ${BIG_STREAM} not indexed where feed in (${raw.all}) and ${where} order by sent_at desc, id desc limit ${PAGE + 1}`,
    )
    return () => statement.all()
  }
  const thread = { field: 'thread_id', operator: 'eq', value: threadOf(0) } as const
  return [
    {
      name: 'page filtered by thread_id, which has no index, merged',
      goal: 1.5,
      raw: scan(`data ->> 'thread_id' = '${thread.value}'`),
      store: () => records.page(merged, { ...query, conditions: [thread] }),
      path: `${ROUTE}?filter[thread_id]=${thread.value}`,
    },
    {
      name: 'page filtered by channel, merged',
      page: true,
      raw: page('sent_at', 'channel', `r.channel = 'letter'`),
      store: () => records.page(merged, { ...query, conditions: [letter] }),
      path: `${ROUTE}?filter[channel]=letter`,
    },
    {
      name: 'page filtered by channel, sorted by amount_cents, merged',
      page: true,
      raw: page('amount_cents', 'amount_cents', `r.channel = 'letter'`),
      store: () => records.page(merged, { ...sorted, conditions: [letter] }),
      path: `${ROUTE}?filter[channel]=letter&sort=-amount_cents`,
    },
    {
      name: 'page filtered and sorted by amount_cents, merged',
      page: true,
      raw: page('amount_cents', 'amount_cents', `r.amount_cents >= ${LARGE}`),
      store: () => records.page(merged, { ...sorted, conditions: [large] }),
      path: `${ROUTE}?filter[amount_cents][gte]=${LARGE}&sort=-amount_cents`,
    },
    {
      name: 'page filtered by amount_cents, merged',
      page: true,
      raw: page('sent_at', 'sent_at', `r.amount_cents >= ${LARGE}`),
      store: () => records.page(merged, { ...query, conditions: [large] }),
      path: `${ROUTE}?filter[amount_cents][gte]=${LARGE}`,
    },
    {
      name: 'count filtered by channel, merged',
      raw: count('channel', `channel = 'letter'`),
      store: () => records.count(merged, [letter]),
      path: `${ROUTE}?filter[channel]=letter&limit=1&count=exact`,
    },
    {
      name: 'count filtered by amount_cents, merged',
      raw: count('amount_cents', `amount_cents >= ${LARGE}`),
      store: () => records.count(merged, [large]),
      path: `${ROUTE}?filter[amount_cents][gte]=${LARGE}&limit=1&count=exact`,
    },
  ]
}
