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

export interface Patience {
  readonly timeoutMs: number
  readonly browser: boolean
  /** What to ask for, where it is not left to the owner. */
  readonly details: string | undefined
}

/** Authorization code with PKCE (RFC 7636), answered to a loopback address (RFC 8252). */
export async function browserFlow(found: Discovered, client: Client, patience: Patience): Promise<Granted> {
  const authorize = endpoint(found.metadata, 'authorization_endpoint')
  const token = endpoint(found.metadata, 'token_endpoint')
  const methods = found.metadata['code_challenge_methods_supported']
  if (authorize === undefined || token === undefined || !Array.isArray(methods) || !methods.includes('S256'))
    throw new CommandFailure(
      1,
      'The server offers no way through a browser that is safe (PKCE with S256).',
      'Try --device.',
    )
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(24).toString('base64url')
  const callback = await awaitCallback(patience.timeoutMs)
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
      authorization_details: patience.details,
    })
    await show(await authorizationUrl(authorize, query, found), patience.browser)
    const answer = await withProgress('Waiting for the owner to decide in the browser', () => callback.answer)
    const code = checked(answer, state, found)
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

/** Pushed beforehand where the server takes it (RFC 9126): the address is short, and mistakes show before a browser does. */
async function authorizationUrl(authorize: string, query: URLSearchParams, { metadata }: Discovered): Promise<string> {
  const push = endpoint(metadata, 'pushed_authorization_request_endpoint')
  const pushed =
    push === undefined ? undefined : await request(push, { method: 'POST', body: query }).catch(() => undefined)
  if (pushed !== undefined && errorOf(pushed).code === 'invalid_client')
    throw new ForgottenClient('The client is unknown.')
  const uri = pushed?.status === 201 ? pushed.body['request_uri'] : undefined
  const shown = typeof uri === 'string' ? form({ client_id: query.get('client_id')!, request_uri: uri }) : query
  const url = new URL(authorize)
  for (const [name, value] of shown) url.searchParams.append(name, value)
  return url.href
}

async function show(url: string, open: boolean): Promise<void> {
  const opened = open && (await openBrowser(url))
  printNote(
    opened
      ? 'Your browser opens. If it does not, open this address:'
      : 'Open this address in a browser on this machine:',
  )
  process.stderr.write(`${url}\n`)
}

/** The answer has to be ours (state), from the server that was asked (iss, RFC 9207), and a yes. */
function checked(answer: URLSearchParams, state: string, { issuer, metadata }: Discovered): string {
  const given = Buffer.from(answer.get('state') ?? '')
  const expected = Buffer.from(state)
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new CommandFailure(
      1,
      'The answer in the browser was not to this request.',
      'Close the page and run the command again.',
    )
  const iss = answer.get('iss')
  if (iss === null ? metadata['authorization_response_iss_parameter_supported'] === true : iss !== issuer)
    throw new CommandFailure(
      1,
      `The answer came from ${iss ?? 'nobody'}, not from ${issuer}.`,
      'Do not go on; run `pdpp doctor`.',
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
