import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { Grant } from '@pdpp/protocol'
import type { Context } from './context.ts'
import { grantStatus } from './grants/refusal.ts'
import type { DirectRoutes } from './http/direct/direct-routes.ts'
import type { ExampleWords } from './storage/contract.ts'

/** V8 compiles code only after it has run a few times. Most code of a search under a grant has run before. */
const [ROUNDS, GRANT_ROUNDS] = [12, 6]
/** Connections, and requests in each of them. A request takes less than a millisecond. */
const [VISITS, KNOCKS] = [6, 2]
/** Receipts that say which grant was used last. What it may see is read ahead, and takes some memory. */
const RECEIPTS = 8
const GRANTS = 1
const HITS = 10
/** If the server cannot be reached in this way, for example because of a firewall, that is no reason to wait. */
const KNOCK_MS = 1000

export interface Rehearsal {
  /** The server's own address. */
  readonly address: string
  /** The address on this machine. Undefined if requests are logged, because the log shows only those of others. */
  readonly localAddress: string | undefined
  readonly subjectId: string
  readonly words: ExampleWords
  /** True while a client's read runs in a thread. */
  readonly isBusy: () => boolean
  /** The services that searches under grants need. */
  readonly services: Pick<Context, 'search' | 'storage'>
}

/**
 * Searches that nobody asked for, after a start: they take the same path as a client's, in three parts, so that for the
 * first client the code is compiled and the index is in memory. None of them writes a receipt. A client's search ends
 * the rehearsal, because from then on it would only delay others.
 */
export async function rehearse(routes: DirectRoutes, rehearsal: Rehearsal): Promise<void> {
  const { words, isBusy } = rehearsal
  if (words.common.length + words.rare.length === 0) return
  const steps = [knocks(rehearsal), ownSearches(routes, rehearsal), grantedSearches(rehearsal)]
  for (const step of steps) for await (const _ of step) if (isBusy()) return
}

/** Requests over the network with a token that nobody has. They are refused, but only after it was looked up. */
async function* knocks({ address, localAddress }: Rehearsal): AsyncGenerator<void> {
  if (localAddress === undefined) return
  const { hostname, port } = new URL(localAddress)
  const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
  const token = randomBytes(32).toString('base64url')
  const head = `Host: ${new URL(address).host}\r\nAuthorization: Bearer ${token}`
  for (let visit = 0; visit < VISITS; visit++) {
    const socket = connect(place).setNoDelay(true)
    socket.setTimeout(KNOCK_MS, () => socket.destroy())
    const ended = new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined))
    for (let knock = 0; knock < KNOCKS && !socket.destroyed; knock++) {
      socket.write(`GET /v1/search?q=knock HTTP/1.1\r\n${head}\r\n\r\n`)
      await Promise.race([ended, new Promise((resolve) => socket.once('data', resolve))])
    }
    const isReached = !socket.destroyed
    socket.destroy()
    if (!isReached) return
    yield
  }
}

/** Searches of the owner, through the route of a client's search. */
async function* ownSearches(routes: DirectRoutes, { address, subjectId, words }: Rehearsal): AsyncGenerator<void> {
  const headers = { host: new URL(address).host }
  const env = { pdppAuthority: { kind: 'owner', subjectId } }
  for (let round = 0; round < ROUNDS; round++)
    for (const query of queriesOf(words, round)) {
      await routes.answer({ target: `/v1/search?q=${encodeURIComponent(query)}&limit=${HITS}`, headers, env })
      yield
    }
}

/** Searches under the grant that was used last. What it may see is then known, and when that last changed. */
async function* grantedSearches({ services, subjectId, words }: Rehearsal): AsyncGenerator<void> {
  for (const grant of await lastGrants(services, subjectId)) {
    const authority = { kind: 'client', subjectId, clientId: grant.client.client_id, grant } as const
    for (let round = 0; round < GRANT_ROUNDS; round++)
      for (const text of queriesOf(words, round)) {
        await services.search.search(authority, { ...UNLIMITED, text }, [])
        yield
      }
  }
}

async function lastGrants({ storage }: Rehearsal['services'], subjectId: string): Promise<Grant[]> {
  const { receipts } = await storage.receipts.list(subjectId, { limit: RECEIPTS })
  // Uses the code that the next receipt needs.
  await storage.receipts.verify(subjectId, { limit: RECEIPTS })
  const used = new Set(receipts.flatMap(({ grantId }) => grantId ?? []))
  const found = await Promise.all([...used].map((grantId) => storage.grants.find(subjectId, grantId)))
  const active = found.filter((grant) => grant && grantStatus(grant, Date.now()) === 'active')
  return active.slice(0, GRANTS).map((stored) => stored!.grant)
}

const UNLIMITED = {
  ...{ streams: undefined, connectionId: undefined, filters: [], since: undefined, until: undefined },
  ...{ limit: HITS, cursor: undefined },
}

/** Other words in each round, because what is cached is not computed again. */
function queriesOf({ common, rare }: ExampleWords, round: number): string[] {
  const [often, seldom] = [common, rare].map((list) => list[round % list.length])
  return [often, seldom, often && seldom && `${often} ${seldom}`].filter((query) => query !== undefined)
}
