import type { LackingAccess, Retention } from '@pdpp/protocol'
import { type CurrentAccess, grantsOf } from './access.ts'
import { isGranted, type OfferedPart } from './offer.ts'

/** The question to the owner: an access and its possible additions, or everything that a new agent could get. */
export interface WideningSubject {
  /** Undefined for a new agent. */
  readonly access: CurrentAccess | undefined
  readonly client: { readonly id: string | undefined; readonly name: string }
  readonly purpose: {
    readonly purposeCode: string
    readonly purposeDescription?: string | undefined
    readonly retention?: Retention | undefined
  }
  /** The access that the agent asked for; undefined if the owner adds something without a wish. */
  readonly lacks: LackingAccess | undefined
  readonly offer: readonly OfferedPart[]
}

/** True if the agent already has everything that it asked for, for example after a decision in another tab. */
export function isFulfilled({ access, lacks, offer }: WideningSubject): boolean {
  return offer.length === 0 && !!access && !!lacks && isGranted(lacks, grantsOf(access))
}
