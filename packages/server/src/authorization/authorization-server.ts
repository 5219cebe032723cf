import type { ClientService } from '../clients/client-service.ts'
import type { GrantService } from '../grants/grant-service.ts'
import type { PackageService } from '../grants/packages/package-service.ts'
import type { SecretStore, SettingStore } from '../lib/setting-store.ts'
import type { RecordService } from '../records/record-service.ts'
import type { ConnectionStore } from '../sources/connections/connection-store.ts'
import type { SourceService } from '../sources/declarations/source-service.ts'
import type { SourceStore } from '../sources/declarations/source-store.ts'
import type { TokenService } from '../tokens/token-service.ts'
import { browserRequests } from './consent/browser-requests.ts'
import { ConsentService } from './consent/consent-service.ts'
import { DEVICE_PREFIX, DeviceRequests } from './consent/device-requests.ts'
import { Engine } from './engine/engine.ts'
import { FlowClients } from './flow-clients.ts'
import { OwnerAgents } from './owner-agents.ts'
import { AgentConnect, CONNECT_PREFIX } from './requests/agent-connect.ts'
import { parseAuthorizationDetails } from './requests/authorization-details.ts'
import { PushedRequests } from './requests/pushed-requests.ts'
import type { ArtifactStore } from './stores/artifact-store.ts'
import type { AuthorizationStore } from './stores/authorization-store.ts'
import { RefreshService } from './tokens/refresh-service.ts'
import { TokenIssuer } from './tokens/token-issuer.ts'

const SWEEP_MS = 600_000
/** Max. rows per batch, and max. batches per sweep. Larger batches would hold up requests. */
const SWEEP_ROWS = 2000
const SWEEP_ROUNDS = 100

interface AuthorizationStores extends SettingStore, SecretStore {
  readonly artifacts: ArtifactStore
  readonly authorizations: AuthorizationStore
  readonly sources: SourceStore
  readonly connections: ConnectionStore
}

export interface AuthorizationServerOptions {
  readonly stores: AuthorizationStores
  readonly clients: ClientService
  readonly grants: GrantService
  readonly packages: PackageService
  readonly tokens: TokenService
  readonly sources: SourceService
  readonly records: RecordService
  log(line: string): void
}

/** Issues tokens to clients by OAuth 2.1 with the owner's consent. Hides the library that runs the protocol. */
export interface AuthorizationServer {
  readonly engine: Pick<Engine, 'fetch'>
  readonly consent: ConsentService
  readonly refresh: RefreshService
  readonly connect: AgentConnect
  readonly devices: DeviceRequests
  readonly flowClients: FlowClients
  readonly ownerAgents: OwnerAgents
  readonly pushed: PushedRequests
  stop(): void
}

export async function createAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { stores, clients, log } = options
  const { artifacts, authorizations } = stores
  const { references } = options.tokens
  const refresh = new RefreshService({ store: authorizations, references, key: await stores.secret('refresh'), log })
  const issuer = new TokenIssuer(options)
  const engine = new Engine({
    artifacts,
    authorizations,
    clients,
    issuer,
    refresh,
    references,
    cookieKeys: [Buffer.from(await stores.secret('flow-cookie')).toString('base64url')],
    checkDetails: (text) => void parseAuthorizationDetails(text),
    log,
  })
  const browser = browserRequests(engine, artifacts)
  const devices = new DeviceRequests(artifacts, await stores.secret('device-review'))
  const key = await stores.secret('agent-connect')
  const connect = new AgentConnect({ artifacts, authorizations, clients, tokens: options.tokens, issuer, refresh, key })
  // Uids of the engine contain no dot, so they never begin with one of these prefixes.
  const pendingOf = (uid: string) =>
    uid.startsWith(DEVICE_PREFIX) ? devices : uid.startsWith(CONNECT_PREFIX) ? connect : browser
  const ownerAgents = new OwnerAgents(stores)
  const consent = new ConsentService({ ...options, ownerAgents, pendingOf })
  const flowClients = new FlowClients(artifacts, refresh)
  return {
    engine,
    consent,
    refresh,
    connect,
    devices,
    flowClients,
    ownerAgents,
    pushed: new PushedRequests(artifacts),
    stop: startSweeping(stores, clients, log),
  }
}

/** Deletes expired rows regularly, one minute late, so that requests in progress still find theirs. */
function startSweeping(stores: AuthorizationStores, clients: ClientService, log: (line: string) => void): () => void {
  const sweep = async () => {
    try {
      await sweepInBatches((rows) => stores.artifacts.sweep(Date.now() - 60_000, rows))
      await sweepInBatches((rows) => stores.authorizations.sweep(Date.now() - 60_000, rows))
      await clients.sweep()
    } catch (error) {
      log(`sweeping failed: ${(error as Error).message}`)
    }
  }
  const timer = setInterval(sweep, SWEEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Deletes in small batches, and lets requests run between them. */
async function sweepInBatches(sweep: (rows: number) => Promise<number>): Promise<void> {
  for (let round = 0; round < SWEEP_ROUNDS; round++) {
    if ((await sweep(SWEEP_ROWS)) < SWEEP_ROWS) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}
