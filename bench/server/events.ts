// Ingests the same records with and without event subscriptions. Each run has a store of its own.
import { mkdirSync, rmSync } from 'node:fs'
import { OWNER, openOffline, readConfig } from '@pdpp/server'
import { type BenchFeed, feedsOf } from '../data/generator.ts'
import { blocks } from '../data/ndjson.ts'
import { CONNECTIONS, CONNECTOR, SOURCE } from '../data/source.ts'
import { percent, table, verdict, whole } from '../report/markdown.ts'

const SUBSCRIPTIONS = 100
const PER_GRANT = 20
const MIN_SHARE = 0.9
/** Without, with, with, without: in this order, a machine that gets slower affects both equally. */
const ORDER = [0, SUBSCRIPTIONS, SUBSCRIPTIONS, 0]

export interface EventsResult {
  readonly records: number
  /** Rows per second of processor time. */
  readonly without: number
  readonly with: number
  /** Events of one subscription that are not delivered at the end. */
  readonly events: number
}

export async function measureEvents(directory: string, size: number): Promise<EventsResult> {
  const [feed] = feedsOf(size)
  const seconds = { without: 0, with: 0 }
  let events = 0
  // The first run warms the process up and does not count.
  await ingest(`${directory}-warm`, feed!, SUBSCRIPTIONS)
  for (const [run, subscriptions] of ORDER.entries()) {
    const result = await ingest(`${directory}-${run}`, feed!, subscriptions)
    seconds[subscriptions === 0 ? 'without' : 'with'] += result.seconds
    events = Math.max(events, result.events)
  }
  const { count } = feed!
  return { records: count, without: (2 * count) / seconds.without, with: (2 * count) / seconds.with, events }
}

async function ingest(dataDir: string, feed: BenchFeed, subscriptions: number) {
  mkdirSync(dataDir, { recursive: true })
  const config = { ...readConfig({ dataDir }, {} as Parameters<typeof readConfig>[1]), port: 0 }
  const { context, close } = await openOffline(config)
  await context.storage.sources.declare(OWNER, SOURCE)
  for (const connectionId of CONNECTIONS)
    await context.connections.create(OWNER, { connectorKey: CONNECTOR, connectionId })
  for (let made = 0; made < subscriptions; made += PER_GRANT) await subscribe(context, feed, made / PER_GRANT)
  context.eventRunner.start()
  const { stream, connectionId } = feed
  const target = { subjectId: OWNER, connectorKey: CONNECTOR, connectionId, stream }
  const all = [...blocks(feed)]
  // CPU of all threads is counted, because events are prepared in parallel with the ingest. Wall time would depend on
  // other programs on the machine.
  const before = process.cpuUsage()
  for (const block of all) await context.ingest.ingest(target, ReadableStream.from([block]))
  const { user, system } = process.cpuUsage(before)
  const found = await context.subscriptions.listAll(OWNER, { limit: 1 })
  const events = found[0] ? await context.storage.subscriptions.countEvents(found[0].subscription) : 0
  await close()
  rmSync(dataDir, { recursive: true, force: true })
  return { seconds: (user + system) / 1e6, events }
}

/** Every grant has other fields, so that no work can be shared between them. */
async function subscribe(context: Awaited<ReturnType<typeof openOffline>>['context'], feed: BenchFeed, number: number) {
  const fields = ['subject', 'body', 'author', 'channel', 'amount_cents'].slice(0, 1 + (number % 5))
  const grant = await context.grants.create(OWNER, {
    clientName: 'Bench',
    connections: [...CONNECTIONS],
    streams: [{ name: feed.stream, fields }],
    purposeCode: 'https://pdpp.dev/purpose/agent_context',
    singleUse: false,
  })
  const authority = { kind: 'client', subjectId: OWNER, clientId: grant.client.client_id, grant } as const
  for (let made = 0; made < PER_GRANT; made++) await context.subscriptions.create(authority, { filters: {} })
}

export function eventsSection({ records, without, with: slowed, events }: EventsResult): string[] {
  const share = slowed / without
  return [
    `## Ingest with ${SUBSCRIPTIONS} event subscriptions`,
    `Rows per second of processor time, of all threads, into one stream that ${SUBSCRIPTIONS} subscriptions of five different grants follow, and without any. "Waiting" is how many events one of them has that were not heard.`,
    table(
      ['records', 'without', 'with', 'with / without', 'waiting', 'goal', ''],
      [
        [
          ...[whole(records), whole(without), whole(slowed), percent(share), whole(events)],
          ...[`>= ${percent(MIN_SHARE)}; one event`, verdict(share >= MIN_SHARE && events <= 1)],
        ],
      ],
    ),
  ]
}
