// Grants, scopes and positions that the read cases share.
import { CursorSealer } from '@pdpp/protocol'
import { type Context, OWNER } from '@pdpp/server'
import { PageCursors } from '../../packages/server/src/records/paging/page-cursor.ts'
import { BIG_STREAM, CONNECTIONS } from '../data/source.ts'
import { addRecords } from '../server/ingest.ts'
import type { Reading } from './reads.ts'

export const PAGE = 25
export const BYTES = 4_194_304
export const FIELDS = ['id', 'author', 'subject', 'sent_at', 'amount_cents']
/** Start of the time-limited grant. */
const SINCE = '2020-01-01'

/**
 * Removes the rate limits, because the bench sends more requests than any client may. The setting is stored, so servers
 * started later use it too.
 */
export const unlimited = (context: Context): Promise<void> =>
  context.allowances.setLimits({ requests: null, rows: null, bytes: null })

export interface LoadTokens {
  /** Token of a grant with four streams of five connections. */
  readonly token: string
  /** Token of a grant with one stream of one connection. */
  readonly oneStream: string
}

/** Without `streams` the grant includes all streams of the connections. */
export async function issueGrant(
  context: Context,
  connections: readonly string[] = CONNECTIONS,
  since?: string,
  streams?: { name: string }[],
) {
  await unlimited(context)
  const reader = { clientName: 'Bench', purposeCode: 'bench', singleUse: false }
  const choice = { ...reader, connections: [...connections], since, streams }
  const { token } = await context.issuer.grant(OWNER, choice)
  const found = await context.tokens.authenticate(token.accessToken, 'v1')
  if ('refused' in found) throw found.refused
  if (found.authority.kind === 'package') throw new Error('A grant is not a package.')
  return { token: token.accessToken, authority: found.authority }
}

export type ReadSetup = Awaited<ReturnType<typeof prepareReads>>

export async function prepareReads({ server, baseline, feeds }: Reading) {
  const { context } = server
  const { records } = context.storage
  const streamFeeds = feeds.filter((feed) => feed.stream === BIG_STREAM)
  const first = streamFeeds[0]!
  const total = streamFeeds.reduce((sum, feed) => sum + feed.count, 0)
  const all = streamFeeds.map((feed) => feed.index)
  const { token, authority } = await issueGrant(context)
  const limited = await issueGrant(context, CONNECTIONS, SINCE)
  const oneStream = await issueGrant(context, [first.connectionId], undefined, [{ name: BIG_STREAM }])
  const merged = await context.records.scope(authority, { stream: BIG_STREAM })
  const one = await context.records.scope(authority, { stream: BIG_STREAM, connectionId: first.connectionId })
  const projected = await context.records.scope(authority, { stream: BIG_STREAM, fields: FIELDS })
  const within = await context.records.scope(limited.authority, { stream: BIG_STREAM })
  const body = await context.records.scope(authority, { stream: BIG_STREAM, fields: ['body'] })

  const query = {
    conditions: [],
    sort: 'sent_at',
    order: 'desc',
    after: undefined,
    limit: PAGE,
    maxBytes: BYTES,
  } as const
  const start = await context.records.page(merged, { limit: 1, maxBytes: BYTES })
  const positionAt = (depth: number) => {
    const after = baseline.positionAt(BIG_STREAM, all, depth)
    return { depth, after, cursor: start.cursorAfter({ ...start.rows[0]!, position: after }) }
  }
  const [near, deep] = [
    positionAt(Math.min(1000, Math.floor(total * 0.3))),
    positionAt(Math.min(25_000, Math.floor(total * 0.6))),
  ]

  const changes = { limit: 100, maxBytes: BYTES }
  const since = await records.versions(one)
  // Create the cursor directly, because reading to the end of the list can take long.
  const cursors = new PageCursors(new CursorSealer(await context.storage.secret('cursor')))
  const changesSince = encodeURIComponent(cursors.sealChanges(one, since))
  const rawSince = baseline.versionOf(first)
  await addRecords(context, baseline, first, 100)
  const horizon = await records.versions(one)
  const raw = { all, since: rawSince, sinceLimit: Date.parse(SINCE) * 1000 }
  return {
    first,
    token,
    authority,
    limitedToken: limited.token,
    oneStream: oneStream.token,
    scopes: { one, merged, projected, within, body },
    query,
    near,
    deep,
    changes: { ...changes, since, horizon },
    changesSince,
    raw,
  }
}
