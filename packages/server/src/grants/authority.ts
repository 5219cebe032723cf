import type { Grant } from '@pdpp/protocol'

/** Who asks, as their token proved it. */
export type Authority = OwnerAuthority | ClientAuthority

export interface OwnerAuthority {
  readonly kind: 'owner'
  readonly subjectId: string
}

export interface ClientAuthority {
  readonly kind: 'client'
  readonly subjectId: string
  readonly clientId: string
  readonly grant: Grant
}
