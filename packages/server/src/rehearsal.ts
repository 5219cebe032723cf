import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { Grant } from '@pdpp/protocol'
import type { Context } from './context.ts'
import { grantStatus } from './grants/refusal.ts'
import type { DirectRoutes } from './http/direct/direct-routes.ts'
import type { ExampleWords } from './storage/contract.ts'

/** V8 compiles code only after it has run a few times. Most code of a search under a grant has run before. */
const [ROUNDS, GRANT_ROUNDS] = [12, 6]
/** Connections, and requests on each of them. A request takes less than a millisecond. */
const [CONNECTIONS, REQUESTS] = [6, 2]
/** Number of the newest receipts in which the last used grants are looked for. */
const RECEIPTS = 8
/** Only a few, because the caches of each grant take some memory. */
const GRANTS = 1
const HITS = 10
/** Give up on a connection after this time. A firewall may block the server's own address, for example. */
const CONNECTION_MS = 1000

export interface Rehearsal {
  /** The server's own address. */
  readonly address: string
  /** The address on this machine. Undefined if requests are logged, because the log must not show our own. */
  readonly localAddress: string | undefined
  readonly subjectId: string
  readonly words: ExampleWords
  /** True while a client's read runs in a thread. */
  readonly isBusy: () => boolean
  /** The services that searches under grants need. */
  readonly services: Pick<Context, 'search' | 'storage'>
}

/**
 * Searches after a start, before any client does. So for the first client the code is compiled and the index is in
 * memory. The three parts together use all the code of a client's search. None of them writes a receipt. The rehearsal
 * ends with the first search of a client, because from then on it would only delay others.
 */
export async function rehearse(routes: DirectRoutes, rehearsal: Rehearsal): Promise<void> {
  const { words, isBusy } = rehearsal
  if (words.common.length + words.rare.length === 0) return
  const steps = [refusedRequests(rehearsal), ownSearches(routes, rehearsal), grantedSearches(rehearsal)]
  for (const step of steps) for await (const _ of step) if (isBusy()) return
}

/** Requests over the network with a token that nobody has. They run the code up to the look-up of the token. */
async function* refusedRequests({ address, localAddress }: Rehearsal): AsyncGenerator<void> {
  if (localAddress === undefined) return
  const { hostname, port } = new URL(localAddress)
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
  const token = randomBytes(32).toString('base64url')
  const head = `Host: ${new URL(address).host}\r\nAuthorization: Bearer ${token}`
  for (let connection = 0; connection < CONNECTIONS; connection++) {
    const socket = connect(target).setNoDelay(true)
    socket.setTimeout(CONNECTION_MS, () => socket.destroy())
    const ended = new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined))
    for (let request = 0; request < REQUESTS && !socket.destroyed; request++) {
      socket.write(`GET /v1/search?q=refused HTTP/1.1\r\n${head}\r\n\r\n`)
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

/** Searches under the grant that was used last. They fill the caches of what this grant shows. */
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

/** Takes other words in each round, because a repeated search would only read caches. */
function queriesOf({ common, rare }: ExampleWords, round: number): string[] {
  const [often, seldom] = [common, rare].map((list) => list[round % list.length])
  return [often, seldom, often && seldom && `${often} ${seldom}`].filter((query) => query !== undefined)
}
