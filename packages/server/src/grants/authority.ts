import type { Grant, PdppError } from '@pdpp/protocol'

/** The access that a request has proved with its token: the owner's, one grant, or a package of grants. */
export type Authority = ReadAuthority | PackageAuthority

/** The owner or one grant. Every ReadScope is made from one of these, never from a whole package. */
export type ReadAuthority = OwnerAuthority | ClientAuthority

interface OwnerAuthority {
  readonly kind: 'owner'
  readonly subjectId: string
}

export interface ClientAuthority {
  readonly kind: 'client'
  readonly subjectId: string
  readonly clientId: string
  readonly grant: Grant
}

/** Several grants under one token. A package itself grants nothing: every read uses the grant of one member. */
export interface PackageAuthority {
  readonly kind: 'package'
  readonly subjectId: string
  readonly clientId: string
  readonly packageId: string
  /** The members that may read now, at least one. No two members share a connection. */
  readonly members: readonly ClientAuthority[]
  readonly unusable: readonly UnusableMember[]
}

export interface UnusableMember {
  readonly grant: Grant
  readonly refusal: PdppError
}

/** All authorities that a request may use: the usable members of a package, or the single authority. */
export function authoritiesOf(authority: Authority): readonly ReadAuthority[] {
  return authority.kind === 'package' ? authority.members : [authority]
}

/** The id that cursors and receipts are bound to: "owner", a grant id or a package id. */
export function accessIdOf(authority: Authority): string {
  if (authority.kind === 'owner') return 'owner'
  return authority.kind === 'client' ? authority.grant.grant_id : authority.packageId
}

export function grantedConnections({ streams }: Grant): string[] {
  return [...new Set(streams.flatMap((stream) => stream.instance_ids))]
}
