import type { Grant, PdppError } from '@pdpp/protocol'

/** Who asks, as their token proved it. */
export type Authority = ReadAuthority | PackageAuthority

/** One holder of rights: what a scope is made from. */
export type ReadAuthority = OwnerAuthority | ClientAuthority

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

/** Several grants under one token. It has no rights of its own: every read is that of a member. */
export interface PackageAuthority {
  readonly kind: 'package'
  readonly subjectId: string
  readonly clientId: string
  readonly packageId: string
  /** Those that may read now, at least one. No two of them share a connection. */
  readonly members: readonly ClientAuthority[]
  readonly unusable: readonly UnusableMember[]
}

export interface UnusableMember {
  readonly grant: Grant
  readonly refusal: PdppError
}

/** Everyone whose rights a request may use: the members of a package, or who asks. */
export function authoritiesOf(authority: Authority): readonly ReadAuthority[] {
  return authority.kind === 'package' ? authority.members : [authority]
}

/** Whose cursors and receipts these are. */
export function accessIdOf(authority: Authority): string {
  if (authority.kind === 'owner') return 'owner'
  return authority.kind === 'client' ? authority.grant.grant_id : authority.packageId
}

export function grantedConnections({ streams }: Grant): string[] {
  return [...new Set(streams.flatMap((stream) => stream.instance_ids))]
}
