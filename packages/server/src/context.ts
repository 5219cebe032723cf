import { BLOB_BYTES, CursorSealer, PdppError } from '@pdpp/protocol'
import { MonthlyCounts } from './aggregates/monthly-counts.ts'
import { type AuthorizationServer, createAuthorizationServer } from './authorization/authorization-server.ts'
import { ClientAccess } from './authorization/client-access.ts'
import { GrantIssuer } from './authorization/tokens/issue-grant.ts'
import { BlobService } from './blobs/blob-service.ts'
import { ClientDocumentFetcher } from './clients/client-document.ts'
import { ClientService } from './clients/client-service.ts'
import type { ServerConfig } from './config/config.ts'
import { AllowanceService } from './grants/allowances/allowance-service.ts'
import { GrantService } from './grants/grant-service.ts'
import { PackageService } from './grants/packages/package-service.ts'
import { WideningService } from './grants/widening/widening-service.ts'
import { WishService } from './grants/wishes/wish-service.ts'
import type { SendTimeLimits } from './http/guards/slow-senders.ts'
import { ImportService } from './imports/import-service.ts'
import type { UploadLimits } from './imports/upload-folder.ts'
import { IngestService } from './ingest/ingest-service.ts'
import { type AllowedHosts, PUBLIC_INTERNET } from './lib/guarded-fetch.ts'
import { OpenStreams } from './lib/limits/open-streams.ts'
import { StartupError } from './lib/startup-error.ts'
import { OWNER } from './owner.ts'
import { ReceiptService } from './receipts/receipt-service.ts'
import { RecordService } from './records/record-service.ts'
import { SchemaService } from './schema/schema-service.ts'
import { SearchService } from './search/search-service.ts'
import { FormSeal } from './sign-in/page-session.ts'
import { SessionService } from './sign-in/session-service.ts'
import { SignInService } from './sign-in/sign-in-service.ts'
import { ConnectionService } from './sources/connections/connection-service.ts'
import { SourceService } from './sources/declarations/source-service.ts'
import type { Storage } from './storage/contract.ts'
import { openStorage } from './storage/open.ts'
import type { LeaseTimes } from './storage/postgres/installation/lease-options.ts'
import { resolveCallback } from './subscriptions/callback-names.ts'
import { Dispatcher } from './subscriptions/dispatcher.ts'
import { EventPoll } from './subscriptions/event-poll.ts'
import { EventSettings } from './subscriptions/event-settings.ts'
import { IdleSubscriptions } from './subscriptions/idle-subscriptions.ts'
import { PollWaiters } from './subscriptions/poll-waiters.ts'
import { WebhookSecrets } from './subscriptions/secrets.ts'
import { type RunnerTimes, SubscriptionRunner } from './subscriptions/subscription-runner.ts'
import { SubscriptionService } from './subscriptions/subscription-service.ts'
import { type DeliveryTimes, WebhookDelivery } from './subscriptions/webhook-delivery.ts'
import { TokenService } from './tokens/token-service.ts'
import { type ArchiveCommand, ArchiveService } from './upkeep/archives/archive-service.ts'
import { DamageWatch } from './upkeep/damage-watch.ts'
import { DemoData } from './upkeep/demo-data.ts'
import { ErasureService } from './upkeep/erasure-service.ts'
import { SelfTest } from './upkeep/self-test.ts'
import { UnfinishedWork } from './upkeep/unfinished-work.ts'
import { UpkeepService } from './upkeep/upkeep-service.ts'

export { OWNER }

export interface Context {
  readonly config: ServerConfig
  /** Max. milliseconds that a read may take. */
  readonly requestMs: number
  readonly storage: Storage
  readonly sources: SourceService
  readonly connections: ConnectionService
  readonly grants: GrantService
  readonly packages: PackageService
  /** Counts refused requests of agents as wishes. */
  readonly wishes: WishService
  /** Widens an access that keeps its tokens. */
  readonly widening: WideningService
  /** Issues grants and packages directly for the owner, without a consent page. */
  readonly issuer: GrantIssuer
  readonly tokens: TokenService
  /** How much each grant or package may still read. */
  readonly allowances: AllowanceService
  readonly clients: ClientService
  readonly authorization: AuthorizationServer
  readonly clientAccess: ClientAccess
  readonly records: RecordService
  readonly monthlyCounts: MonthlyCounts
  readonly schema: SchemaService
  readonly search: SearchService
  readonly ingest: IngestService
  readonly blobs: BlobService
  readonly imports: ImportService
  readonly selfTest: SelfTest
  readonly upkeep: UpkeepService
  readonly erasure: ErasureService
  readonly demo: DemoData
  readonly archives: ArchiveService
  readonly subscriptions: SubscriptionService
  readonly eventPoll: EventPoll
  /** Poll subscriptions that end if they are no longer polled. */
  readonly idleSubscriptions: IdleSubscriptions
  readonly eventSettings: EventSettings
  /** Turns changes into events while the server runs. */
  readonly eventRunner: SubscriptionRunner
  readonly receipts: ReceiptService
  readonly sessions: SessionService
  readonly signIn: SignInService
  /** Signs the form tokens of pages, against forms forged by other sites. */
  readonly forms: FormSeal
  /** Remembers damaged files that reads found, for the start page. */
  readonly damage: DamageWatch
  /** Answers that stay open, such as those of listening hosts. */
  readonly openStreams: OpenStreams
  close(): Promise<void>
}

const REQUEST_MS = 30_000

export interface ContextOverrides {
  readonly requestMs?: number
  readonly storage?: Storage
  /** The hosts and addresses that may be contacted to fetch a client's metadata document or to deliver an event. */
  readonly reach?: AllowedHosts
  readonly log?: (line: string) => void
  /** The command that writes backups and exports. Without it, only the command line can write them. */
  readonly archiveCommand?: ArchiveCommand
  /** Idle timeout of a download, in milliseconds. */
  readonly stalledMs?: number
  readonly uploads?: Partial<UploadLimits>
  /** If the receipts file cannot be used, move it aside and start a new one. */
  readonly newReceipts?: boolean
  /** The name of the data directory, unique among all machines. A database belongs to one data directory at a time. */
  readonly place?: string
  /** Called if another server has taken over the database, so that this one must stop. */
  readonly onStoreLost?: () => void
  /** How soon another server may take over the database of a server that stopped without releasing it. */
  readonly leaseTimes?: LeaseTimes
  readonly sendTimeLimits?: Partial<SendTimeLimits>
  /** How long changes are collected before an event reports them, and when a failed delivery is retried. */
  readonly eventTimes?: Partial<RunnerTimes & DeliveryTimes>
}

/** Opens the stores and builds every service. Call it once per process and data directory. */
export async function createContext(config: ServerConfig, overrides: ContextOverrides = {}): Promise<Context> {
  const log = overrides.log ?? (() => {})
  if (overrides.storage) return contextOn(overrides.storage, config, overrides, log)
  const storage = await openOwnStorage(config, overrides, log)
  try {
    return await contextOn(storage, config, overrides, log)
  } catch (error) {
    // Open connections would keep the process from ending.
    await storage.close().catch(() => {})
    throw error
  }
}

async function contextOn(
  storage: Storage,
  config: ServerConfig,
  overrides: ContextOverrides,
  log: (message: string) => void,
): Promise<Context> {
  const cursors = new CursorSealer(await storage.secret('cursor'))
  const sources = new SourceService(storage)
  const tokens = new TokenService(storage.tokens, storage.grants)
  const unfinished = new UnfinishedWork(storage.writer, log)
  await unfinished.start()
  await storage.blobs.sweep()
  const receipts = new ReceiptService(storage)
  const grants = new GrantService(storage, sources)
  const packages = new PackageService(storage, grants)
  const wishes = new WishService({ store: storage.wishes, key: await storage.secret('wish'), subjectId: OWNER, log })
  const clients = new ClientService(storage.clients, new ClientDocumentFetcher({ reach: overrides.reach, log }))
  const records = new RecordService(storage, sources, cursors)
  const authorization = await createAuthorizationServer({
    stores: storage,
    clients,
    grants,
    packages,
    tokens,
    sources,
    records,
    log,
  })
  const connections = new ConnectionService(storage, sources)
  const schema = new SchemaService(storage, sources)
  const ingest = new IngestService(storage, sources)
  const blobs = new BlobService(storage, sources, config.maxBlobBytes ?? BLOB_BYTES)
  const imports = new ImportService(
    { stores: storage, connections, ingest, blobs, schema, dataDir: config.dataDir, log },
    overrides.uploads,
  )
  const erasure = new ErasureService(storage, connections, sources, (...what) => imports.forget(...what))
  await erasure.resume(OWNER).catch((error) => log(`An erase could not be finished: ${(error as Error).message}`))
  const sessions = new SessionService(storage.sessions)
  const signIn = new SignInService(storage.credentials, sessions, config.ownerPassword !== undefined)
  if (config.ownerPassword !== undefined) await adoptPassword(signIn, config.ownerPassword)
  const search = new SearchService(storage, sources, cursors)
  const archives = new ArchiveService({
    settings: storage,
    receipts,
    dataDir: config.dataDir,
    command: overrides.archiveCommand,
    backups: config.databaseUrl === undefined ? 'own' : 'database',
    stalledMs: overrides.stalledMs,
    log,
  })
  const events = await createEvents({ storage, records, cursors, receipts, overrides, log })
  return {
    config,
    ...events,
    requestMs: overrides.requestMs ?? REQUEST_MS,
    storage,
    sources,
    tokens,
    allowances: await AllowanceService.open(storage, OWNER),
    receipts,
    sessions,
    signIn,
    forms: new FormSeal(await storage.secret('form')),
    damage: new DamageWatch(storage),
    openStreams: new OpenStreams(),
    connections,
    grants,
    packages,
    wishes,
    widening: new WideningService({ store: storage.grants, receipts: storage.receipts, grants, packages, sources }),
    issuer: new GrantIssuer({ grants, packages, tokens }),
    clients,
    authorization,
    clientAccess: new ClientAccess(storage, grants, packages),
    records,
    monthlyCounts: new MonthlyCounts(storage),
    schema,
    search,
    selfTest: new SelfTest({ search }),
    upkeep: new UpkeepService(storage.upkeep, log),
    ingest,
    blobs,
    imports,
    erasure,
    demo: new DemoData({ storage, connections, ingest, blobs, grants, records, sources }),
    archives,
    close: async () => {
      await unfinished.stop()
      archives.stop()
      authorization.stop()
      receipts.stop()
      events.idleSubscriptions.stop()
      await events.eventRunner.stop()
      await wishes.write()
      await imports.close()
      await storage.close()
    },
  }
}

/** Prevents other servers from using the database. The data directory is already locked. */
function openOwnStorage(config: ServerConfig, overrides: ContextOverrides, log: (line: string) => void) {
  const { newReceipts, leaseTimes: times, onStoreLost, place } = overrides
  if (config.databaseUrl === undefined || place === undefined) return openStorage(config, { newReceipts })
  const onLost = ({ message }: Error) => {
    log(message)
    onStoreLost?.()
  }
  return openStorage(config, { lease: { place, onLost, times } })
}

async function createEvents(parts: {
  storage: Storage
  records: RecordService
  cursors: CursorSealer
  receipts: ReceiptService
  overrides: ContextOverrides
  log: (line: string) => void
}) {
  const { storage: stores, records, cursors, receipts, overrides, log } = parts
  const dispatcher = new Dispatcher(stores, records)
  const waiters = new PollWaiters()
  const settings = new EventSettings(stores, () => webhooks.wake())
  const secrets = new WebhookSecrets(new CursorSealer(await stores.secret('webhook')))
  const reach = overrides.reach ?? { ...PUBLIC_INTERNET, resolve: resolveCallback }
  const { eventTimes: times } = overrides
  const webhooks = new WebhookDelivery({
    ...{ stores, dispatcher, secrets, settings, receipts, reach, log, times },
    onActivated: () => runner.noteWrite(),
  })
  const deliveries = {
    wake: (ids: ReadonlySet<string> = new Set()) => {
      waiters.wake(ids)
      webhooks.wake()
    },
  }
  const runner = new SubscriptionRunner({ dispatcher, waiters, webhooks, deliveries, log, times })
  stores.onWrite(() => runner.noteWrite())
  const idle = new IdleSubscriptions(stores.subscriptions)
  const service = new SubscriptionService({
    ...{ stores, dispatcher, deliveries, secrets, settings, idle, cursors, reach },
    onActivated: () => runner.noteWrite(),
  })
  return {
    subscriptions: service,
    eventPoll: new EventPoll({ stores, service, waiters, idle, cursors }),
    idleSubscriptions: idle,
    eventSettings: settings,
    eventRunner: runner,
  }
}

async function adoptPassword(signIn: SignInService, password: string): Promise<void> {
  try {
    await signIn.adoptPassword(OWNER, password)
  } catch (error) {
    if (error instanceof PdppError) throw new StartupError(`PDPP_OWNER_PASSWORD cannot be used: ${error.message}`)
    throw error
  }
}
