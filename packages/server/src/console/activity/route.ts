import { PdppError, parseResultId, type WireReceipt } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { stream as streamed } from 'hono/streaming'
import type { Context } from '../../context.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import { BURST, highlights } from '../../receipts/receipt-highlights.ts'
import type { ReceiptSearch } from '../../receipts/receipt-service.ts'
import type { ReceiptTally } from '../../receipts/receipt-store.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { clientNames } from '../access/client-names.ts'
import { startOfDay } from '../frame/local-time.ts'
import { sendPage } from '../frame/send.ts'
import { receiptsPage, type Tallied } from './page.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const PAGE = 25
const EXPORT_PAGE = 100
const MAX_TALLIED = 10
/** Max. streams to choose from in the filter. The page itself lists fewer. */
const MAX_STREAMS = 200

/** GET /receipts */
export function showReceipts(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new PageQuery(c)
    const { subjectId } = c.get('authority')
    const search = await searchOf(context, subjectId, query)
    const { receipts, next } = await context.receipts.list(subjectId, search)
    const firstDay = Date.now() - (Date.now() % DAY_MS) - (DAYS - 1) * DAY_MS
    const tally = (await context.receipts.tally(subjectId, firstDay)).filter(
      ({ clientId, stream }) =>
        (search.clientId === undefined || clientId === search.clientId) &&
        (search.stream === undefined || stream === search.stream),
    )
    const agents = tallied(tally, ({ clientId }) => clientId).slice(0, MAX_TALLIED)
    const ids = [...receipts.map(({ client_id: id }) => id ?? ''), ...agents.map(({ id }) => id)]
    const names = await clientNames(context, subjectId, [...ids, search.clientId])
    const highlighted = await highlightsOf(context, subjectId, receipts)
    const filters = Object.fromEntries(FILTERS.map((name) => [name, query.text(name)])) as Record<
      Filter,
      string | undefined
    >
    return sendPage(
      c,
      receiptsPage({
        pageSession: c.get('pageSession'),
        receipts: receipts.map((receipt) => ({
          receipt,
          highlights: highlighted.get(sequenceOf(receipt)) ?? [],
          clientName: names.get(receipt.client_id ?? ''),
        })),
        days: byDay(tally, firstDay),
        agents: agents.map((agent) => ({ ...agent, name: names.get(agent.id) ?? agent.id })),
        streams: tallied(
          tally.map((row) => ({ ...row, reads: row.shown })),
          ({ stream }) => stream,
        ).slice(0, MAX_STREAMS),
        chain: await context.receipts.chain.state(subjectId),
        filters,
        clientName: search.clientId && names.get(search.clientId),
        next: next === undefined ? undefined : query.link({ before: String(next), done: undefined }),
        done: query.text('done'),
        link: (changes) => query.link({ done: undefined, ...changes }),
        exportLink: query.link({ before: undefined, done: undefined }, '/activity/export'),
      }),
    )
  }
}

/** GET /activity/export: every receipt of the same filters, newest first, one JSON object on each line. */
export function exportReceipts(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const search = { ...(await searchOf(context, subjectId, new PageQuery(c))), limit: EXPORT_PAGE, before: undefined }
    c.header('Content-Type', 'application/x-ndjson; charset=utf-8')
    c.header('Content-Disposition', 'attachment; filename="activity.jsonl"')
    return streamed(c, async (out) => {
      for (let before: number | undefined, more = true; more && !out.aborted; ) {
        const page = await context.receipts.list(subjectId, { ...search, before })
        for (const receipt of page.receipts) await out.writeln(JSON.stringify(receipt))
        before = page.next
        more = before !== undefined
      }
    })
  }
}

/** POST /activity/check: checks the whole chain again. */
export function checkReceipts(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, 'check-receipts')
    await context.receipts.chain.restart(c.get('authority').subjectId)
    return c.redirect('/activity?done=checking', 303)
  }
}

const FILTERS = ['client', 'grant', 'stream', 'record', 'since', 'until', 'outcome'] as const
type Filter = (typeof FILTERS)[number]

async function searchOf(context: Context, subjectId: string, query: PageQuery): Promise<ReceiptSearch> {
  const record = query.text('record')
  const until = query.time('until')
  const outcome = query.text('outcome')
  const before = query.text('before')
  if (before !== undefined && !/^\d{1,15}$/.test(before))
    throw new PdppError('invalid_argument', 'before must be a number.', { param: 'before' })
  return {
    clientId: query.text('client'),
    grantId: query.text('grant'),
    stream: query.text('stream'),
    since: dayStart(query.text('since'), query.time('since')),
    // Include the whole last day.
    until: until === undefined ? undefined : dayStart(query.text('until'), until)! + DAY_MS,
    outcome: outcome === 'ok' || outcome === 'refused' ? outcome : undefined,
    record: record === undefined ? undefined : await recordOf(context, subjectId, record),
    before: before === undefined ? undefined : Number(before),
    limit: PAGE,
  }
}

/** A day begins at midnight in the owner's zone. */
const dayStart = (text: string | undefined, at: number | undefined): number | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? startOfDay(text) : at

async function recordOf(context: Context, subjectId: string, text: string) {
  const { connectionId, stream, recordKey } = parseResultId(text)
  if (connectionId === undefined)
    throw new PdppError('invalid_argument', 'That is not the full id of an item.', { param: 'record' })
  const { connectorKey } = await context.connections.require(subjectId, connectionId)
  return { connectorKey, stream, key: recordKey, connectionId }
}

async function highlightsOf(context: Context, subjectId: string, receipts: readonly WireReceipt[]) {
  const grants = new Set(receipts.flatMap(({ grant_id: id }) => id ?? []))
  const firsts = await context.storage.receipts.firstOf(subjectId, [...grants])
  const around = await Promise.all(
    receipts.map(async (receipt) => {
      const { client_id: clientId } = receipt
      if (clientId === null) return []
      const near = await context.storage.receipts.around(subjectId, clientId, sequenceOf(receipt), BURST.reads - 1)
      return near.map((one) => ({ ...one, clientId }))
    }),
  )
  return highlights(
    receipts.map((receipt) => ({
      sequence: sequenceOf(receipt),
      at: Date.parse(receipt.at),
      clientId: receipt.client_id ?? undefined,
      grantId: receipt.grant_id ?? undefined,
      outcome: receipt.outcome,
    })),
    firsts,
    around.flat(),
  )
}

const sequenceOf = ({ receipt_id: id }: WireReceipt): number => Number(id.slice('rcp_'.length))

function byDay(tally: readonly ReceiptTally[], first: number) {
  const days = Map.groupBy(tally, ({ day }) => day)
  return Array.from({ length: DAYS }, (_, index) => {
    const at = first + index * DAY_MS
    const rows = days.get(at) ?? []
    const refused = rows.reduce((sum, row) => sum + row.refused, 0)
    return { at, refused, count: rows.reduce((sum, row) => sum + row.reads, 0) + refused }
  })
}

function tallied(tally: readonly ReceiptTally[], key: (row: ReceiptTally) => string | undefined): Tallied[] {
  return [...Map.groupBy(tally, key)]
    .flatMap(([id, rows]) => (id === undefined ? [] : [{ id, rows }]))
    .map(({ id, rows }) => ({
      id,
      name: id,
      reads: rows.reduce((sum, row) => sum + row.reads, 0),
      refused: rows.reduce((sum, row) => sum + row.refused, 0),
    }))
    .sort((a, b) => b.reads + b.refused - (a.reads + a.refused))
}
