import type { CredentialCache } from '@pdpp/mcp-server/client'
import { textOf } from '@pdpp/mcp-server/client'
import { endpoint, errorOf, jsonBody, request } from '@pdpp/mcp-server/doctor'
import { CommandFailure } from '../terminal/failure.ts'
import type { Discovered } from './discovery.ts'

export interface Client {
  readonly client_id: string
  readonly client_name: string
  readonly token_endpoint_auth_method: 'none'
}

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
/** The port is chosen later, because servers accept any port of a loopback address (RFC 8252 section 7.3). */
const REDIRECT_URI = 'http://127.0.0.1/callback'

/** Reuses the client of an earlier connection, so that the owner sees one client and not many. */
export function knownClient(found: Discovered, cache: CredentialCache, name: string): Client | undefined {
  const known = cache
    .list(found.providerUrl)
    .map(({ credential }) => credential)
    .find(
      ({ client, authorization_server: server }) =>
        client?.client_name === name && server === found.issuer && client[MARK] === true,
    )
  const id = known?.client?.client_id
  return id === undefined ? undefined : clientOf(id, name)
}

/** Marks a cached client that this command registered itself. */
export const MARK = 'pdpp_cli'

/** The server no longer knows the client of an earlier connection. */
export class ForgottenClient extends Error {
  override readonly name = 'ForgottenClient'
}

/** Registers a new client (RFC 7591), or takes the one that the server pre-registered. */
export async function registerClient(found: Discovered, name: string): Promise<Client> {
  const registration = endpoint(found.metadata, 'registration_endpoint')
  if (registration === undefined) return preRegistered(found, name)
  const answer = await request(
    registration,
    jsonBody({
      client_name: name,
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    }),
  )
  const clientId = textOf(answer.body['client_id'])
  if (clientId !== undefined) return clientOf(clientId, name)
  const { message, code } = errorOf(answer)
  throw new CommandFailure(
    1,
    `The server did not register this client: ${message ?? code ?? `status ${answer.status}`}`,
    answer.status === 429
      ? 'There were too many registrations. Try again in ten minutes.'
      : `\`pdpp doctor ${found.providerUrl}\` looks for the cause.`,
  )
}

const clientOf = (id: string, name: string): Client => ({
  client_id: id,
  client_name: name,
  token_endpoint_auth_method: 'none',
})

function preRegistered({ metadata, providerUrl }: Discovered, name: string): Client {
  const listed = metadata['pdpp_pre_registered_public_clients']
  const first = Array.isArray(listed) ? textOf((listed[0] as Record<string, unknown>)?.['client_id']) : undefined
  if (first !== undefined) return clientOf(first, name)
  throw new CommandFailure(
    1,
    `${providerUrl} does not register clients.`,
    'Ask the owner for a token and pass it to: pdpp connect <provider-url> --with-token',
  )
}
