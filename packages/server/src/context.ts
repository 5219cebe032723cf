import { CursorSealer } from '@pdpp/protocol'
import type { ServerConfig } from './config/config.ts'
import { ConnectionService } from './connections/connection-service.ts'
import { GrantService } from './grants/grant-service.ts'
import { IngestService } from './ingest/ingest-service.ts'
import { PackageService } from './packages/package-service.ts'
import { ReceiptService } from './receipts/receipt-service.ts'
import { RecordService } from './records/record-service.ts'
import { SchemaService } from './schema/schema-service.ts'
import { SearchService } from './search/search-service.ts'
import { FormSeal } from './sessions/form-seal.ts'
import { SessionService } from './sessions/session-service.ts'
import { SignInService } from './sign-in/sign-in-service.ts'
import { SourceService } from './sources/source-service.ts'
import type { Storage } from './storage/contract.ts'
import { openSqliteStorage } from './storage/sqlite/storage.ts'
import { TokenService } from './tokens/token-service.ts'

/** One server, one owner: the subject of every key. */
export const OWNER = 'owner_local'

export interface Context {
  readonly config: ServerConfig
  readonly storage: Storage
  readonly sources: SourceService
  readonly connections: ConnectionService
  readonly grants: GrantService
  readonly packages: PackageService
  readonly tokens: TokenService
  readonly records: RecordService
  readonly schema: SchemaService
  readonly search: SearchService
  readonly ingest: IngestService
  readonly receipts: ReceiptService
  readonly sessions: SessionService
  readonly signIn: SignInService
  /** Seals the forms of pages. */
  readonly forms: FormSeal
  close(): Promise<void>
}

export interface ContextOverrides {
  readonly storage?: Storage
}

/** Builds stores and services once. */
export async function createContext(config: ServerConfig, overrides: ContextOverrides = {}): Promise<Context> {
  const storage = overrides.storage ?? openSqliteStorage(config.dataDir)
  const cursors = new CursorSealer(await storage.secret('cursor'))
  const sources = new SourceService(storage)
  const tokens = new TokenService(storage.tokens)
  await storage.writer.resume()
  const receipts = new ReceiptService(storage)
  const grants = new GrantService(storage, sources, tokens)
  const sessions = new SessionService(storage.sessions)
  const signIn = new SignInService(storage.credentials, sessions, config.ownerPassword !== undefined)
  if (config.ownerPassword !== undefined) await signIn.adoptPassword(OWNER, config.ownerPassword)
  return {
    config,
    storage,
    sources,
    tokens,
    receipts,
    sessions,
    signIn,
    forms: new FormSeal(await storage.secret('form')),
    connections: new ConnectionService(storage, sources),
    grants,
    packages: new PackageService(storage, grants, tokens),
    records: new RecordService(storage, sources, cursors),
    schema: new SchemaService(storage, sources),
    search: new SearchService(storage, sources, cursors),
    ingest: new IngestService(storage, sources),
    close: async () => {
      receipts.stop()
      await storage.close()
    },
  }
}
