import { hash } from 'node:crypto'
import type { LackingAccess } from '@pdpp/protocol'

/** Longer names cannot exist. They are cut, so that a request cannot create a link or a row of any size. */
const NAME_CHARS = 200

/** Returns a copy whose names have a limited length. */
export function bounded(lacks: LackingAccess): LackingAccess {
  const cut = (text: string) => (text.length > NAME_CHARS ? text.slice(0, NAME_CHARS) : text).toWellFormed()
  const stream = cut(lacks.stream)
  if (lacks.kind === 'stream') return { kind: 'stream', stream }
  const { connectorKey } = lacks
  if (lacks.kind === 'field') return { kind: 'field', connectorKey, stream, field: cut(lacks.field) }
  return { ...lacks, stream }
}

/**
 * Identifies what an agent asked for. Requests for other times of one stream are one thing, whichever days they name.
 */
export function thingOf(lacks: LackingAccess | undefined): string {
  if (!lacks) return ''
  if (lacks.kind === 'stream') return JSON.stringify(['stream', lacks.stream])
  const { kind, connectorKey, stream } = lacks
  return JSON.stringify([kind, connectorKey, stream, ...(kind === 'field' ? [lacks.field] : [])])
}

/** The id of a wish is derived from the agent and the thing, so that counting needs no look-up. */
export function wishIdOf(clientId: string, thing: string): string {
  return `wsh_${hash('sha256', JSON.stringify([clientId, thing]), 'base64url').slice(0, 24)}`
}
