import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { endpoint, errorOf, form, request } from '@pdpp/mcp-server/doctor'
import { CommandFailure } from '../terminal/failure.ts'
import { printNote } from '../terminal/output.ts'
import { withProgress } from '../terminal/progress.ts'
import type { Discovered } from './discovery.ts'
import { awaitCallback } from './loopback.ts'
import { openBrowser } from './open-browser.ts'
import { type Client, ForgottenClient } from './registration.ts'
import { type Granted, granted, refused } from './token-answer.ts'

interface FlowOptions {
  readonly timeoutMs: number
  readonly browser: boolean
  /** The access to ask for. Undefined leaves the choice to the owner. */
  readonly details: string | undefined
}

/** Authorization code flow with PKCE (RFC 7636) and a loopback redirect (RFC 8252). */
export async function browserFlow(found: Discovered, client: Client, options: FlowOptions): Promise<Granted> {
  const authorize = endpoint(found.metadata, 'authorization_endpoint')
  const token = endpoint(found.metadata, 'token_endpoint')
  const methods = found.metadata['code_challenge_methods_supported']
  if (authorize === undefined || token === undefined || !Array.isArray(methods) || !methods.includes('S256'))
    throw new CommandFailure(
      1,
      'The server does not support a safe sign-in in a browser (PKCE with S256).',
      'Try --device.',
    )
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(24).toString('base64url')
  const callback = await awaitCallback(options.timeoutMs)
  try {
    const query = form({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: callback.redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state,
      scope: 'pdpp:read',
      resource: found.resources,
      authorization_details: options.details,
    })
    await show(await authorizationUrl(authorize, query, found), options.browser)
    const answer = await withProgress('Waiting for the owner to decide in the browser', () => callback.answer)
    const code = codeFrom(answer, state, found)
    const exchanged = await request(token, {
      method: 'POST',
      body: form({
        grant_type: 'authorization_code',
        code,
        client_id: client.client_id,
        redirect_uri: callback.redirectUri,
        code_verifier: verifier,
        resource: found.resources,
      }),
    })
    return granted(exchanged.body) ?? fail(refused(exchanged, 'The server gave no token'))
  } finally {
    callback.close()
  }
}

/** Pushes the request if the server can (RFC 9126): the address is short, and errors show before the browser opens. */
async function authorizationUrl(authorize: string, query: URLSearchParams, { metadata }: Discovered): Promise<string> {
  const push = endpoint(metadata, 'pushed_authorization_request_endpoint')
  const pushed =
    push === undefined ? undefined : await request(push, { method: 'POST', body: query }).catch(() => undefined)
  if (pushed !== undefined && errorOf(pushed).code === 'invalid_client')
    throw new ForgottenClient('The client is unknown.')
  const uri = pushed?.status === 201 ? pushed.body['request_uri'] : undefined
  const parameters = typeof uri === 'string' ? form({ client_id: query.get('client_id')!, request_uri: uri }) : query
  const url = new URL(authorize)
  for (const [name, value] of parameters) url.searchParams.append(name, value)
  return url.href
}

async function show(url: string, open: boolean): Promise<void> {
  const opened = open && (await openBrowser(url))
  printNote(
    opened
      ? 'Opening your browser. If it does not open, visit this address:'
      : 'Open this address in a browser on this machine:',
  )
  process.stderr.write(`${url}\n`)
}

/**
 * Returns the code if the answer belongs to this request (state), comes from this server (iss, RFC 9207) and is not an
 * error.
 */
function codeFrom(answer: URLSearchParams, state: string, { issuer, metadata }: Discovered): string {
  const actual = Buffer.from(answer.get('state') ?? '')
  const expected = Buffer.from(state)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw new CommandFailure(
      1,
      'The answer in the browser belongs to another request.',
      'Close the page and run the command again.',
    )
  const iss = answer.get('iss')
  if (iss === null ? metadata['authorization_response_iss_parameter_supported'] === true : iss !== issuer)
    throw new CommandFailure(
      1,
      `The answer came from ${iss ?? 'an unnamed server'}, not from ${issuer}.`,
      'Stop here and run `pdpp doctor`.',
    )
  const code = answer.get('code')
  if (code !== null && answer.get('error') === null) return code
  const body = {
    error: answer.get('error') ?? 'no code',
    error_description: answer.get('error_description') ?? undefined,
  }
  throw refused({ status: 400, headers: new Headers(), text: '', body }, 'The server refused')
}

function fail(error: Error): never {
  throw error
}
