// The demo owner's server with agents that have read, were refused, or never came, so that the console has something to
// show.
import { join } from 'node:path'
import type { Grant } from '@pdpp/protocol'
import { OWNER, type RunningServer } from '@pdpp/server'
import { copyDemo } from '../fixtures/demo-data.ts'
import { testServer } from '../fixtures/server.ts'

export interface Place {
  readonly server: RunningServer
  /** The access of an assistant that reads a lot. */
  readonly grantId: string
  readonly packageId: string
  readonly link: () => Promise<string>
  grant(request: Record<string, unknown>): Promise<{ grant_id: string; access_token: string; grant: Grant }>
  /** A GET with this token. */
  read(token: string, path: string): Promise<number>
  close(): Promise<void>
}

const BIN = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'pdpp.mjs')
export const archiveCommand = { program: process.execPath, args: [BIN], typed: './pdpp' }

export async function demoPlace(overrides: Parameters<typeof testServer>[1] = {}): Promise<Place> {
  let close!: () => Promise<void>
  const atEnd = (end: () => Promise<void>) => {
    close = end
  }
  const { server } = await testServer({}, overrides, { fill: copyDemo, atEnd })
  const owner = (await server.context.tokens.issueOwner(OWNER)).accessToken
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${owner}` }
    const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as any
  }
  const grant = (request: Record<string, unknown>) => post('/v1/owner/grants', request)
  const read = async (token: string, path: string) =>
    (await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).status
  const made = await demoAgents({ server, grant, read, post })
  const link = async () => server.url + (await server.context.signIn.issueLink(OWNER)).path
  return { server, grant, read, close, link, ...made }
}

type Making = Pick<Place, 'server' | 'grant' | 'read'> & { post: (path: string, body: unknown) => Promise<any> }

async function demoAgents({ server, grant, read, post }: Making) {
  const purpose = { purpose_description: 'To answer questions about my year' }
  const planner = await grant({
    client_name: 'Trip planner',
    connections: ['calendar'],
    since: '2026-01-01',
    ...purpose,
  })
  const members = [
    await grant({ client_name: 'Study assistant', connections: ['notes'], ...purpose }),
    await grant({ client_name: 'Study assistant', connections: ['chat'], fields: undefined, ...purpose }),
  ]
  const made = await post('/v1/owner/packages', {
    grants: members.map(({ grant_id: id }) => id),
    client_name: 'Study assistant',
  })
  await grant({ client_name: 'Budget helper', connections: ['purchases'], ...purpose })
  await earlier(server, planner.grant.client.client_id, planner.grant_id)
  for (const path of [
    '/v1/schema',
    '/v1/search?q=dinner',
    '/v1/streams/events/records?limit=5',
    '/v1/streams/messages/records',
  ])
    await read(planner.access_token, path)
  for (const path of ['/v1/schema', '/v1/search?q=walk', '/v1/search?q=recipe']) await read(made.access_token, path)
  return { grantId: planner.grant_id as string, packageId: made.package_id as string }
}

/** Reads of the previous days, so that there is a history to show. */
async function earlier(server: RunningServer, clientId: string, grantId: string): Promise<void> {
  const day = 86_400_000
  const today = Date.now() - (Date.now() % day)
  for (let back = 28; back > 0; back--) {
    for (let n = 0; n < (back * 7) % 11; n++)
      await server.context.receipts.append({
        at: today - back * day + n * 600_000,
        subjectId: OWNER,
        clientId,
        grantId,
        surface: 'mcp',
        operation: n % 3 === 0 ? 'search' : 'query_records',
        connectorKey: 'calendar',
        stream: 'events',
        connections: ['calendar'],
        fields: ['id', 'title', 'starts_at'],
        records: [],
        bytes: 2400 + n * 321,
        outcome: 'ok',
        requestId: `req_demo_${back}_${n}`,
      })
  }
}
