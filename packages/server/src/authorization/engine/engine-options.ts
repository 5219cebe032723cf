import type { ClientService } from '../../clients/client-service.ts'
import type { OwnerReferences } from '../../tokens/owner-references.ts'
import type { ArtifactStore } from '../stores/artifact-store.ts'
import type { AuthorizationStore } from '../stores/authorization-store.ts'
import type { RefreshService } from '../tokens/refresh-service.ts'
import type { TokenIssuer } from '../tokens/token-issuer.ts'

/** In its own file, so that our published types do not need those of the library. */
export interface EngineOptions {
  readonly artifacts: ArtifactStore
  readonly authorizations: AuthorizationStore
  readonly clients: ClientService
  readonly issuer: TokenIssuer
  readonly refresh: RefreshService
  readonly references: OwnerReferences
  readonly cookieKeys: readonly string[]
  checkDetails(text: string): void
  log(line: string): void
}
