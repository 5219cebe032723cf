import type { Browser } from '../../../../tests/fixtures/browser.ts'
import { declaration, key, stream, text, time, title } from '../../../../tests/fixtures/declaration.ts'
import type { Answer } from '../../../../tests/fixtures/http.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { connect, type OAuthServer, oauthServer, tokenRequest } from '../oauth/oauth-flow.ts'

export const LIST = '/v1/streams/messages/records'
export const EVENTS = '/v1/streams/events/records'

/** Mail of two accounts, a calendar, and a sensitive source. */
export async function wishServer(): Promise<OAuthServer> {
  const server = await oauthServer()
  const calendar = declaration('calendar', { events: stream({ id: key(), what: title(), starts_at: time() }) })
  const health = { visits: stream({ id: key(), note: text() }) }
  await server.owner('POST', '/connectors', calendar)
  await server.owner('POST', '/connectors', declaration('health', health, { sensitivity: 'sensitive' }))
  for (const [connector_key, connection_id] of [
    ['calendar', 'diary'],
    ['health', 'clinic'],
  ])
    await server.owner('POST', '/v1/owner/connections', { connector_key, connection_id })
  const event = (n: number) => ({
    key: `e${n}`,
    data: { id: `e${n}`, what: `Event ${n}`, starts_at: `2026-01-0${n}T10:00:00Z` },
  })
  await server.ingest('events', 'diary', [1, 2, 3].map(event))
  await server.ingest('visits', 'clinic', [{ key: 'v1', data: { id: 'v1', note: 'private' } }])
  return server
}

export interface Agent {
  readonly clientId: string
  readonly token: string
  readonly refreshToken: string
  readonly grantId: string
  get(path: string): Promise<Answer>
  /** A tool call at /mcp. */
  tool(name: string, args: object): Promise<any>
  refreshed(): Promise<Answer>
}

/** An agent that came through OAuth and may read the subjects of one mail account, since the second hour of 2026. */
export async function connectedAgent(server: OAuthServer, narrowing: object = NARROW): Promise<Agent> {
  const clientId = await server.register()
  const { body } = await connect(server, { clientId })
  const { body: smaller } = await server.owner('POST', `/v1/owner/grants/${body.grant_id}/narrow`, narrowing)
  const { access_token: token, refresh_token: refreshToken } = body
  return {
    ...{ clientId, token, refreshToken, grantId: smaller.grant_id },
    get: (path) => server.as(token)('GET', path),
    tool: (name, args) => toolCall(server, token, name, args),
    refreshed: () =>
      tokenRequest(server, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }),
  }
}

const NARROW = { streams: [{ name: 'messages', fields: ['subject'] }], since: '2026-01-01T02:00:00Z' }

async function toolCall(server: OAuthServer, token: string, name: string, args: object): Promise<any> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  }
  return (await server.as(token)('POST', '/mcp', message, headers)).body.result
}

/** The path of the page that a refusal names. */
export function addressIn({ body }: Answer): string {
  const address = new URL(body.error.request_access_url)
  return address.pathname
}

type Change = (form: ShownForm) => ShownForm

/** Opens a page, changes the form, looks at the result, and presses a button. */
export async function decideOn(
  browser: Browser,
  path: string,
  decision: string,
  change: Change = (form) => form,
): Promise<Answer> {
  const first = await browser.get(path)
  if (first.status !== 200) throw new Error(`${first.status} ${first.text}`)
  const looked = await browser.post(path, change(new ShownForm(first.text, path)).press('decision', 'update'))
  return browser.post(path, new ShownForm(looked.text, path).press('decision', decision))
}
