import type { CachedCredential, CredentialCache } from '@pdpp/mcp-server/client'
import { objectOf, textOf } from '@pdpp/mcp-server/client'
import { endpoint } from '@pdpp/mcp-server/doctor'
import { agentConnect, agentConnectEndpoint } from '../oauth/agent-connect.ts'
import { browserFlow } from '../oauth/browser-flow.ts'
import { deviceFlow } from '../oauth/device-flow.ts'
import { type Discovered, discover } from '../oauth/discovery.ts'
import { detailsFor, requireOneSource } from '../oauth/one-source.ts'
import { type Client, ForgottenClient, knownClient, MARK, registerClient } from '../oauth/registration.ts'
import type { Granted } from '../oauth/token-answer.ts'
import { isPrivateEnough, providerAddress } from '../provider/address.ts'
import { openCache } from '../provider/connected.ts'
import { reach, reachText, untilText } from '../provider/grant-text.ts'
import { verifyToken } from '../provider/verified-token.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import { bold, green, printJson, printLine, printNote, printWarning } from '../terminal/output.ts'
import { withProgress } from '../terminal/progress.ts'
import { readTokenFromInput } from './token-from-input.ts'

interface ConnectOptions {
  device?: boolean
  browser: boolean
  name: string
  source?: string
  withToken?: boolean
  timeout: string
  cacheRoot?: string
  json?: boolean
}

/** Gets a token for a server and stores it in the cache. Never prints the token. */
export async function connect(url: string, options: ConnectOptions): Promise<void> {
  const providerUrl = providerAddress(url)
  const timeoutMs = seconds(options.timeout) * 1000
  const cache = openCache(options)
  if (!isPrivateEnough(providerUrl))
    printWarning(
      'not_encrypted',
      'This address does not use https: anyone between you and the server can read the token and the data.',
    )
  const { credential, schema } = options.withToken
    ? await fromInput(providerUrl)
    : await fromOwner(providerUrl, cache, options, timeoutMs)
  cache.save(credential)
  if (options.json) return printJson(summary(credential, schema))
  printLine(`${green('Connected')} to ${bold(providerUrl)}.`)
  printLine()
  printLine('You may read:')
  for (const line of reachText(schema)) printLine(`  ${line}`)
  printLine(`Valid ${untilText(credential.credential)}.`)
  printLine()
  printNote('Try: pdpp read search <words>    or connect an agent: pdpp setup')
}

interface Outcome {
  readonly credential: CachedCredential
  readonly schema: Record<string, unknown>
}

async function fromOwner(
  providerUrl: string,
  cache: CredentialCache,
  options: ConnectOptions,
  timeoutMs: number,
): Promise<Outcome> {
  const found = await withProgress(`Contacting ${providerUrl}`, () => discover(providerUrl))
  refuseOwnerOnly(found)
  requireOneSource(found, options.source)
  const known = knownClient(found, cache, options.name)
  let self = known ?? (await registerClient(found, options.name))
  let answer: Granted
  try {
    answer = await runFlow(found, self, options, timeoutMs)
  } catch (error) {
    if (!(error instanceof ForgottenClient) || known === undefined) throw error
    self = await registerClient(found, options.name)
    answer = await runFlow(found, self, options, timeoutMs)
  }
  const schema = await withProgress('Checking the token', () => verifyToken(providerUrl, answer.accessToken))
  return { credential: credentialOf(found, self, answer), schema }
}

async function runFlow(found: Discovered, self: Client, options: ConnectOptions, timeoutMs: number): Promise<Granted> {
  const flow = { timeoutMs, browser: options.browser, details: detailsFor(options.source) }
  if (options.device) return deviceFlow(found, self, flow)
  const agent = agentConnectEndpoint(found)
  if (endpoint(found.metadata, 'authorization_endpoint') === undefined && agent !== undefined)
    return agentConnect(agent, found, self, flow)
  return browserFlow(found, self, flow)
}

/** Refuses servers whose commands need owner tokens, because `connect` never uses those. */
function refuseOwnerOnly({ resourceMetadata, providerUrl }: Discovered): void {
  const cli = objectOf(objectOf(resourceMetadata['pdpp_agent_discovery'])['cli'])
  if (cli['no_owner_token'] === false)
    throw new CommandFailure(
      EXIT.notPermitted,
      `${providerUrl} gives this command only owner tokens.`,
      'Ask the owner for a grant instead.',
    )
}

/** The cache file. Other adapters read it, too, so keep these members. New members may be added. */
function credentialOf(found: Discovered, self: Client, answer: Granted): CachedCredential {
  return {
    provider_url: found.providerUrl,
    authorization_server: found.issuer,
    scope: 'pdpp:read',
    client: { ...self, [MARK]: true },
    credential: {
      access_token: answer.accessToken,
      token_type: 'Bearer',
      expires_at: answer.expiresAt,
      grant_id: answer.grantId ?? null,
      ...(answer.packageId === undefined ? {} : { grant_package_id: answer.packageId }),
      scope: answer.scope,
      ...(answer.refreshToken === undefined ? {} : { refresh_token: answer.refreshToken }),
    },
    created_at: new Date().toISOString(),
  }
}

async function fromInput(providerUrl: string): Promise<Outcome> {
  const input = await readTokenFromInput()
  // The authorization server may have another address. A server without metadata is its own authorization server.
  const found = await withProgress(`Contacting ${providerUrl}`, () => discover(providerUrl)).catch(() => undefined)
  const schema = await withProgress('Checking the token', () => verifyToken(providerUrl, input.accessToken))
  const bearer = objectOf(schema['bearer'])
  const grantId = input.grantId ?? textOf(bearer['grant_id'])
  const packageId = input.packageId ?? textOf(bearer['package_id']) ?? textOf(bearer['grant_package_id'])
  const clientId = input.clientId ?? textOf(bearer['client_id'])
  return {
    schema,
    credential: {
      provider_url: providerUrl,
      authorization_server: found?.issuer ?? providerUrl,
      scope: 'pdpp:read',
      ...(clientId === undefined ? {} : { client: { client_id: clientId, token_endpoint_auth_method: 'none' } }),
      credential: {
        access_token: input.accessToken,
        token_type: 'Bearer',
        expires_at: input.expiresAt,
        grant_id: grantId ?? null,
        ...(packageId === undefined ? {} : { grant_package_id: packageId }),
        scope: null,
      },
      created_at: new Date().toISOString(),
    },
  }
}

function summary(
  { provider_url, authorization_server, client: self, credential }: CachedCredential,
  schema: Record<string, unknown>,
) {
  const { access_token: _token, refresh_token: refresh, ...rest } = credential
  return {
    object: 'connection',
    provider_url,
    authorization_server,
    client_id: self?.client_id ?? null,
    ...rest,
    refreshable: Boolean(refresh),
    may_read: reach(schema),
  }
}

function seconds(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value < 1 || value > 86_400)
    throw new UsageError('--timeout must be between 1 and 86400 seconds.')
  return value
}
