import { textOf } from '@pdpp/mcp-server/client'
import { endpoint, jsonBody, request } from '@pdpp/mcp-server/doctor'
import { printNote, safe } from '../terminal/output.ts'
import { poll } from './device-flow.ts'
import type { Discovered } from './discovery.ts'
import { openBrowser } from './open-browser.ts'
import type { Client } from './registration.ts'
import { type Granted, refused } from './token-answer.ts'

/** The endpoint where other PDPP servers give tokens to commands. Its name varies. */
export function agentConnectEndpoint({ metadata, resourceMetadata }: Discovered): string | undefined {
  const names = ['agent_connect_endpoint', 'pdpp_agent_connect_endpoint']
  return [metadata, resourceMetadata]
    .flatMap((from) => names.map((name) => endpoint(from, name)))
    .find((url) => url !== undefined)
}

/** For servers without an authorization endpoint: the owner approves on a page while we poll for the token. */
export async function agentConnect(
  url: string,
  found: Discovered,
  client: Client,
  options: { timeoutMs: number; browser: boolean; details: string | undefined },
): Promise<Granted> {
  const started = await request(
    url,
    jsonBody({
      client_id: client.client_id,
      client_name: client.client_name,
      resource: found.providerUrl,
      scope: 'pdpp:read',
      ...(options.details === undefined ? {} : { authorization_details: JSON.parse(options.details) }),
    }),
  )
  const { body } = started
  const approval = ['approval_url', 'verification_uri_complete', 'verification_uri']
    .map((name) => endpoint(body, name))
    .find(Boolean)
  const ask = ['poll_url', 'token_url', 'device_poll_endpoint', 'completion_endpoint']
    .map((name) => endpoint(body, name))
    .find(Boolean)
  if (approval === undefined || ask === undefined) throw refused(started, 'The server did not start a request')
  const opened = options.browser && (await openBrowser(approval))
  printNote(
    opened ? 'Opening your browser. If it does not open, visit this address:' : 'Open this address in a browser:',
  )
  process.stderr.write(`${safe(approval)}\n`)
  const code = textOf(body['user_code'])
  if (code !== undefined) printNote(`Check that the page shows the code ${safe(code)}.`)
  const interval = typeof body['interval_ms'] === 'number' ? body['interval_ms'] : Number(body['interval'] ?? 2) * 1000
  const lifetime = Number(body['expires_in'] ?? 300) * 1000
  return poll(Math.min(lifetime, options.timeoutMs), interval, () =>
    request(ask, jsonBody({ polling_code: body['polling_code'] })),
  )
}
