import { setTimeout as pause } from 'node:timers/promises'
import { type OwnerApi, withOwnerApi } from '../../provider/owner-api.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { CommandFailure, UsageError } from '../../terminal/failure.ts'
import { printJson, printLine, printNote, printTable, safe } from '../../terminal/output.ts'
import { ClientNames } from './client-names.ts'
import { printMore } from './more-hint.ts'
import { HEADINGS, type Receipt, receiptRow } from './receipt-text.ts'

const FOLLOW_EVERY_MS = 1000
const PAGE = 100
/** Max. pages per second with --follow. If there are more, a note says so. */
const MAX_PAGES = 20

interface ReceiptOptions {
  dataDir?: string
  json?: boolean
  client?: string
  grant?: string
  stream?: string
  record?: string
  since?: string
  until?: string
  limit: string
  cursor?: string
  follow?: boolean
}

interface ReceiptList {
  data: Receipt[]
  has_more: boolean
  next_cursor?: string
}

export async function listReceipts(options: ReceiptOptions): Promise<void> {
  if (options.follow && (options.cursor !== undefined || options.until !== undefined))
    throw new UsageError('--follow shows new reads, so leave out --cursor and --until.')
  await withOwnerApi(options, async (api) => {
    if (options.follow && !api.running)
      throw new CommandFailure(
        EXIT.unreachable,
        'No server runs on this data directory, so there are no reads to follow.',
        'Start it with `pdpp serve`, or leave out --follow.',
      )
    const list = await page(api, options, { limit: options.limit, cursor: options.cursor })
    if (list.data.length === 0 && !list.has_more) await requireKnown(api, options)
    if (options.follow) return follow(api, options, list.data)
    if (options.json) return printJson(list)
    await printReceipts(api, list, options)
  })
}

/** Fails for an id that does not exist, such as a name: an empty list would say that nothing was read. */
async function requireKnown(api: OwnerApi, { client, grant }: ReceiptOptions): Promise<void> {
  if (client !== undefined) await api.request('GET', `/v1/owner/clients/${encodeURIComponent(client)}`)
  if (grant !== undefined) await api.request('GET', `/v1/owner/grants/${encodeURIComponent(grant)}`)
}

async function printReceipts(api: OwnerApi, list: ReceiptList, options: ReceiptOptions): Promise<void> {
  if (list.data.length === 0 && !list.has_more) return printLine('No receipts match.')
  const names = new ClientNames(api)
  const rows = await Promise.all(list.data.map(async (receipt) => receiptRow(receipt, await names.of(receipt))))
  printTable(HEADINGS, rows)
  // With --record, a page can be short or empty although more pages follow.
  printMore('receipt', { ...options, flags: filtersOf(options) }, list.next_cursor)
}

function filtersOf({ client, grant, stream, record, since, until }: ReceiptOptions) {
  return { client, grant, stream, record, since, until }
}

function page(api: OwnerApi, options: ReceiptOptions, place: { limit: string; cursor?: string | undefined }) {
  const filters = {
    client_id: options.client,
    grant_id: options.grant,
    stream: options.stream,
    record: options.record,
    since: options.since,
    until: options.until,
    ...place,
  }
  const params = new URLSearchParams(Object.entries(filters).filter((entry): entry is [string, string] => !!entry[1]))
  return api.request<ReceiptList>('GET', `/v1/owner/receipts?${params}`)
}

const sequence = (receipt: Receipt): number => Number(receipt.receipt_id.replace(/^rcp_/, ''))

/** Prints new receipts every second until Ctrl-C, oldest first, like a log. */
async function follow(api: OwnerApi, options: ReceiptOptions, first: readonly Receipt[]): Promise<void> {
  const stop = new AbortController()
  const end = () => stop.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  const names = new ClientNames(api)
  const show = async (receipts: readonly Receipt[]) => {
    for (const receipt of receipts.toReversed()) {
      if (options.json) process.stdout.write(`${JSON.stringify(receipt)}\n`)
      else
        printLine(
          receiptRow(receipt, await names.of(receipt))
            .map(safe)
            .join('  '),
        )
    }
  }
  if (process.stderr.isTTY) printNote('Waiting for reads. Stop with Ctrl-C.')
  await show(first)
  let newest = first[0] ? sequence(first[0]) : 0
  while (!stop.signal.aborted) {
    await pause(FOLLOW_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    if (stop.signal.aborted) break
    const fresh = await newerThan(api, options, newest)
    await show(fresh)
    if (fresh[0]) newest = sequence(fresh[0])
  }
  process.off('SIGINT', end).off('SIGTERM', end)
}

async function newerThan(api: OwnerApi, options: ReceiptOptions, newest: number): Promise<Receipt[]> {
  const found: Receipt[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const list = await page(api, options, { limit: String(PAGE), cursor })
    const fresh = list.data.filter((receipt) => sequence(receipt) > newest)
    found.push(...fresh)
    cursor = list.next_cursor
    if (fresh.length < list.data.length || cursor === undefined || Number(cursor) <= newest + 1) return found
  }
  printNote(`There are too many reads to show all of them. List them with \`pdpp owner receipt list\`.`)
  return found
}
