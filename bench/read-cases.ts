import { type Context, OWNER } from '@pdpp/server'
import { readField } from '../packages/server/src/field-windows/field-window-service.ts'
import { BIG_STREAM, CONNECTIONS, idOf, LONG_RECORD, SOURCE } from './generator.ts'
import { addRecords } from './ingest.ts'
import type { Reading } from './reads.ts'

export interface ReadCase {
  readonly name: string
  readonly page?: boolean
  readonly raw: () => unknown
  readonly store: () => Promise<unknown>
  readonly path: string | (() => string)
  /** Where it is not the token of the wide grant. */
  readonly token?: string
}

const PAGE = 25
const BYTES = 4_194_304
const FIELDS = ['id', 'author', 'subject', 'sent_at', 'amount_cents']
const ROUTE = `/v1/streams/${BIG_STREAM}/records`

async function issue(context: Context, since?: string) {
  const choice = { connections: CONNECTIONS, since, clientName: 'Bench', purposeCode: 'bench', singleUse: false }
  const { token } = await context.grants.issue(OWNER, choice)
  const found = await context.tokens.authenticate(token.accessToken)
  if ('refused' in found) throw found.refused
  return { token: token.accessToken, authority: found.authority }
}

export async function prepareCases({ server, baseline, feeds }: Reading) {
  const { context } = server
  const { records } = context.storage
  const mine = feeds.filter((feed) => feed.stream === BIG_STREAM)
  const first = mine[0]!
  const total = mine.reduce((sum, feed) => sum + feed.count, 0)
  const all = mine.map((feed) => feed.index)
  const { token, authority } = await issue(context)
  const limited = await issue(context, '2020-01-01')
  const merged = await context.records.scope(authority, { stream: BIG_STREAM })
  const one = await context.records.scope(authority, { stream: BIG_STREAM, connectionId: first.connectionId })
  const projected = await context.records.scope(authority, { stream: BIG_STREAM, fields: FIELDS })
  const within = await context.records.scope(limited.authority, { stream: BIG_STREAM })
  const body = await context.records.scope(authority, { stream: BIG_STREAM, fields: ['body'] })

  const query = { sort: 'sent_at', order: 'desc', after: undefined, limit: PAGE, maxBytes: BYTES } as const
  const depth = Math.min(25_000, Math.floor(total * 0.6))
  const after = baseline.positionAt(BIG_STREAM, all, depth)
  const start = await context.records.page(merged, { limit: 1, maxBytes: BYTES })
  const cursor = start.cursorAfter({ ...start.rows[0]!, position: after })

  const changes = { limit: 100, maxBytes: BYTES }
  const walk = await context.records.changes(one, { ...changes, changesSince: 'beginning' })
  const since = await records.versions(one)
  const rawSince = baseline.versionOf(first)
  await addRecords(context, baseline, first, 100)
  const horizon = await records.versions(one)
  const sinceLimit = Date.parse('2020-01-01') * 1000

  let turn = 0
  const someKey = (step: number) => idOf(first, (Math.imul(step, 7919) >>> 0) % first.count)
  const longKey = idOf(first, LONG_RECORD)
  const connection = `connection_id=${first.connectionId}`
  const cases: ReadCase[] = [
    {
      name: 'first page, one connection',
      page: true,
      raw: () => baseline.page(BIG_STREAM, 'sent_at', [first.index], PAGE + 1),
      store: () => records.page(one, query),
      path: `${ROUTE}?${connection}`,
    },
    {
      name: 'first page, five connections merged',
      page: true,
      raw: () => baseline.page(BIG_STREAM, 'sent_at', all, PAGE + 1),
      store: () => records.page(merged, query),
      path: ROUTE,
    },
    {
      name: `keyset page, ${depth.toLocaleString('en')} records deep, merged`,
      page: true,
      raw: () =>
        baseline.page(BIG_STREAM, 'sent_at', all, PAGE + 1, '(r.sent_at, r.id) < (?, ?)', after.value, after.number),
      store: () => records.page(merged, { ...query, after }),
      path: `${ROUTE}?cursor=${encodeURIComponent(cursor)}`,
    },
    {
      name: 'page sorted by amount_cents, merged',
      page: true,
      raw: () => baseline.page(BIG_STREAM, 'amount_cents', all, PAGE + 1),
      store: () => records.page(merged, { ...query, sort: 'amount_cents' }),
      path: `${ROUTE}?sort=-amount_cents`,
    },
    {
      name: 'page of 5 projected fields, merged',
      page: true,
      raw: () => baseline.page(BIG_STREAM, 'sent_at', all, PAGE + 1).map(({ data }) => pick(data)),
      store: () => records.page(projected, query),
      path: `${ROUTE}?fields=${FIELDS}`,
    },
    {
      name: 'page under a time-limited grant, merged',
      page: true,
      raw: () => baseline.page(BIG_STREAM, 'sent_at', all, PAGE + 1, 'r.sent_at >= ?', sinceLimit),
      store: () => records.page(within, query),
      path: ROUTE,
      token: limited.token,
    },
    {
      name: 'record by key',
      raw: () => baseline.find(BIG_STREAM, all, someKey(turn++)),
      store: () => records.find(merged, someKey(turn++)),
      path: () => `${ROUTE}/${someKey(turn++)}`,
    },
    {
      name: 'changes from the beginning, 100',
      raw: () => baseline.changes(BIG_STREAM, first.index, 0, 101),
      store: () => records.changes(one, { ...changes, since: [], horizon }),
      path: `${ROUTE}?${connection}&limit=100&changes_since=beginning`,
    },
    {
      name: 'changes, the last 100',
      raw: () => baseline.changes(BIG_STREAM, first.index, rawSince, 101),
      store: () => records.changes(one, { ...changes, since, horizon }),
      path: `${ROUTE}?${connection}&limit=100&changes_since=${encodeURIComponent(walk.nextChangesSince!)}`,
    },
    {
      name: 'schema, compact, 4 streams of 5 connections',
      raw: () => feeds.map((feed) => baseline.span(feed.stream, feed.index)),
      store: async () => {
        for (const stream of SOURCE.streams)
          await records.statistics(await context.records.scope(authority, { stream: stream.name }))
      },
      path: '/v1/schema?view=compact',
    },
    {
      name: 'field window, 4,096 of 20,000 characters',
      raw: () => baseline.textWindow(BIG_STREAM, first.index, longKey, 8000, 4096),
      store: async () =>
        readField(body, (await records.find(body, longKey))[0]!, 'body', { offsetChars: 8000, limitChars: 4096 }),
      path: `${ROUTE}/${longKey}/field-window?field=body&offset_chars=8000&limit_chars=4096`,
    },
  ]
  return { cases, token }
}

function pick(data: string): string {
  const record = JSON.parse(data) as Record<string, unknown>
  return JSON.stringify(Object.fromEntries(FIELDS.map((name) => [name, record[name]])))
}
