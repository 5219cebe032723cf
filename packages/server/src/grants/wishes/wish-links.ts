import { createHmac, timingSafeEqual } from 'node:crypto'
import { type LackingAccess, PdppError } from '@pdpp/protocol'

const SEAL_BYTES = 16
const MAX_TOKEN_CHARS = 1_800

/** The content of a link: the access that was refused, and what it lacks. */
export interface WishLink {
  readonly accessId: string
  readonly lacks: LackingAccess
}

type Payload = readonly [string, LackingAccess['kind'], string, ...(string | null)[]]

/**
 * Makes and reads the links that refused agents get (point 43). A link is computed only from the request and its
 * access. No store is read, so a link cannot reveal whether such data exists, and it works regardless of the number of
 * other wishes. Links are sealed, so that nobody else can make one that claims a request of an agent.
 */
export class WishLinks {
  readonly #key: Uint8Array

  constructor(key: Uint8Array) {
    this.#key = key
  }

  path(link: WishLink): string {
    const text = Buffer.from(JSON.stringify(payloadOf(link)))
    return `/wishes/${Buffer.concat([this.#seal(text), text]).toString('base64url')}`
  }

  read(token: string): WishLink {
    if (token.length > MAX_TOKEN_CHARS) throw unknown()
    const bytes = Buffer.from(token, 'base64url')
    const text = bytes.subarray(SEAL_BYTES)
    if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== token) throw unknown()
    if (!timingSafeEqual(bytes.subarray(0, SEAL_BYTES), this.#seal(text))) throw unknown()
    return linkOf(JSON.parse(text.toString('utf8')) as Payload)
  }

  #seal(text: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(text).digest().subarray(0, SEAL_BYTES)
  }
}

function payloadOf({ accessId, lacks }: WishLink): Payload {
  const { kind, stream } = lacks
  if (kind === 'stream') return [accessId, kind, stream]
  if (kind === 'field') return [accessId, kind, stream, lacks.connectorKey, lacks.field]
  return [accessId, kind, stream, lacks.connectorKey, lacks.since ?? null, lacks.until ?? null]
}

function linkOf([accessId, kind, stream, connectorKey, first, second]: Payload): WishLink {
  if (kind === 'stream') return { accessId, lacks: { kind, stream } }
  const common = { connectorKey: connectorKey!, stream }
  if (kind === 'field') return { accessId, lacks: { kind, ...common, field: first! } }
  const days = { ...(first == null ? {} : { since: first }), ...(second == null ? {} : { until: second }) }
  return { accessId, lacks: { kind, ...common, ...days } }
}

function unknown(): PdppError {
  return new PdppError('not_found', 'This server did not make this address, or a part of it is missing.', {
    nextStep: 'Copy the whole address, or open the page of the agent: it lists what it asked for.',
  })
}
