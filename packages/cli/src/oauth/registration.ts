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
/** The port is chosen when the answer is awaited: a server takes any port of a loopback address (RFC 8252 section 7.3). */
const REDIRECT_URI = 'http://127.0.0.1/callback'

/** The client that an earlier connection registered: the owner sees one, not a row of them. */
export function knownClient(found: Discovered, cache: CredentialCache, name: string): Client | undefined {
  const known = cache
    .list(found.providerUrl)
    .map(({ credential }) => credential)
    .find(
      ({ client, authorization_server: server }) =>
        client?.client_name === name && server === found.issuer && client[MARK] === true,
    )
  const id = known?.client?.client_id
  return id === undefined ? undefined : described(id, name)
}

/** In the cache: a client that this command registered for itself. */
export const MARK = 'pdpp_cli'

/** The client that an earlier connection registered is not known any more. */
export class ForgottenClient extends Error {
  override readonly name = 'ForgottenClient'
}

/** A new client (RFC 7591), or the one that the server knows beforehand. */
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
  if (clientId !== undefined) return described(clientId, name)
  const { message, code } = errorOf(answer)
  throw new CommandFailure(
    1,
    `The server did not register this client: ${message ?? code ?? `status ${answer.status}`}`,
    answer.status === 429
      ? 'Too many asked. Try again in ten minutes.'
      : `\`pdpp doctor ${found.providerUrl}\` looks closer.`,
  )
}

const described = (id: string, name: string): Client => ({
  client_id: id,
  client_name: name,
  token_endpoint_auth_method: 'none',
})

function preRegistered({ metadata, providerUrl }: Discovered, name: string): Client {
  const listed = metadata['pdpp_pre_registered_public_clients']
  const first = Array.isArray(listed) ? textOf((listed[0] as Record<string, unknown>)?.['client_id']) : undefined
  if (first !== undefined) return described(first, name)
  throw new CommandFailure(
    1,
    `${providerUrl} registers no clients.`,
    'Ask its owner for a token, and give it to: pdpp connect <provider-url> --with-token',
  )
}
