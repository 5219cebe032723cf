import { textOf } from '../resource-server/envelope.ts'
import { type Check, reasonOf } from './check.ts'
import { broken, ok, warning } from './check-result.ts'
import { initializeParams, LEGACY, mcpCall } from './mcp-call.ts'
import { endpoint, metadataUrl } from './metadata.ts'
import { type Answer, errorOf, form, jsonBody, request } from './request.ts'

/** Max. difference of the clocks without a warning. */
const MAX_SKEW_MS = 60_000

export interface Asking {
  /** The next step if the server does not answer. It depends on who runs the checks. */
  readonly fix: string
  readonly exitCode?: number
  /** Never contact another server. Set when a server checks itself. */
  readonly onlyHere?: boolean
}

/**
 * Runs the steps of a host that knows only the address: gets the refusal, reads both metadata documents, and tests
 * registration and tokens.
 */
export function connectionChecks(url: string, asking: Asking): Check[] {
  const allowed = (address: string | undefined): string => {
    if (asking.onlyHere && new URL(address!).origin !== new URL(url).origin)
      throw new Error(`it points to ${address}, which is another server`)
    return address!
  }
  let challenge: string | undefined
  let issuer: string | undefined
  let metadata: Record<string, unknown> = {}
  return [
    { name: 'Reachable', run: () => reachable(url, asking) },
    {
      name: 'Refusal at /mcp',
      run: async () => {
        const { answer } = await mcpCall(`${url}/mcp`, undefined, LEGACY, 'initialize', initializeParams)
        if (answer.status !== 401)
          return broken(
            `without a token it answered ${answer.status}, not 401`,
            answer.status === 404
              ? 'Check that the address is right. The adapter is at <address>/mcp.'
              : 'Hosts only sign in after a 401. Check the proxy in front of the server.',
          )
        challenge = /resource_metadata="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1]
        return challenge === undefined
          ? broken(
              'its 401 does not say where to sign in (WWW-Authenticate with resource_metadata)',
              'A proxy may remove the header: let WWW-Authenticate through.',
            )
          : ok('401, and says where to sign in')
      },
    },
    { name: 'Metadata of /mcp', run: async () => (await resourceDocument(allowed(challenge), `${url}/mcp`)).finding },
    {
      name: 'Metadata of the server',
      run: async () => {
        const { finding, document } = await resourceDocument(`${url}/.well-known/oauth-protected-resource`, url)
        const listed = document['authorization_servers']
        issuer = Array.isArray(listed) ? textOf(listed[0]) : undefined
        return finding
      },
    },
    {
      name: 'Authorization server',
      run: async () => {
        const answer = await request(metadataUrl(allowed(issuer)))
        metadata = answer.body
        return authorizationServer(answer, issuer!)
      },
    },
    { name: 'Registration', run: () => registration(allowed(endpoint(metadata, 'registration_endpoint'))) },
    { name: 'Token endpoint', run: () => tokenEndpoint(allowed(endpoint(metadata, 'token_endpoint'))) },
  ]
}

async function reachable(url: string, { fix, exitCode }: Asking) {
  const started = Date.now()
  let answer: Answer
  try {
    answer = await request(`${url}/.well-known/oauth-protected-resource`)
  } catch (error) {
    return broken(`no answer (${reasonOf(error)})`, fix, exitCode)
  }
  if (answer.status === 421)
    return broken(
      'it does not accept this host name (421)',
      'Set the name at the server: PDPP_PUBLIC_URL, or PDPP_TRUSTED_HOSTS.',
    )
  if (answer.status >= 500)
    return broken(`it answered ${answer.status}`, "Look at the server's output. A proxy in front may not reach it.")
  const took = Date.now() - started
  const serverTime = Date.parse(answer.headers.get('date') ?? '')
  const skew = serverTime - Date.now()
  if (Math.abs(skew) > MAX_SKEW_MS)
    return warning(
      `answers in ${took} ms, but its clock is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? 'ahead of' : 'behind'} this one`,
      'Set both clocks (NTP). Otherwise tokens and sign-in links expire too early or too late.',
    )
  return ok(`answers in ${took} ms, and the clocks agree`)
}

/** RFC 9728 section 3.3: a client must not use a document that names another resource. */
async function resourceDocument(address: string, resource: string) {
  const answer = await request(address)
  const document = answer.body
  const about = textOf(document['resource'])
  const fix = `Hosts only accept metadata that names ${resource}. Set PDPP_PUBLIC_URL to the address that people use.`
  const finding =
    answer.status !== 200 || about === undefined
      ? broken(
          `${address} answered ${answer.status}${answer.status === 200 ? ' without a resource' : ''}`,
          'Let /.well-known/ through to the server.',
        )
      : about.replace(/\/+$/, '') !== resource
        ? broken(`it names ${about}, not ${resource}`, fix)
        : Array.isArray(document['authorization_servers']) && document['authorization_servers'].length > 0
          ? ok(address)
          : broken('it names no authorization server', 'Run a version of the server that has one.')
  return { finding, document }
}

function authorizationServer({ status, body }: Answer, issuer: string) {
  if (status !== 200)
    return broken(`${metadataUrl(issuer)} answered ${status}`, 'Let /.well-known/ through to the server.')
  if (body['issuer'] !== issuer)
    return broken(
      `it calls itself ${String(body['issuer'])}, not ${issuer}`,
      'Set PDPP_PUBLIC_URL to the address that people use. Hosts compare it letter by letter.',
    )
  const missing = ['authorization_endpoint', 'token_endpoint'].filter((name) => endpoint(body, name) === undefined)
  if (missing.length > 0)
    return broken(`it has no ${missing.join(' and no ')}`, 'Run a version of the server that has them.')
  const lists = (name: string, value: string) => Array.isArray(body[name]) && body[name].includes(value)
  if (!lists('code_challenge_methods_supported', 'S256'))
    return broken(
      'it does not support PKCE with S256',
      'Hosts do not continue without it. Run a version of the server that supports it.',
    )
  if (endpoint(body, 'registration_endpoint') === undefined)
    return broken('it does not register clients', 'Turn on client registration: some hosts need it.')
  if (!lists('token_endpoint_auth_methods_supported', 'none'))
    return warning(
      'it does not list "none" as an authentication method',
      'Some hosts then do not connect as public clients.',
    )
  return ok(issuer)
}

/** Sends an impossible request. A proper refusal proves that the endpoint works, and leaves no client behind. */
async function registration(address: string) {
  const answer = await request(address, jsonBody({ client_name: 'pdpp doctor', redirect_uris: ['not an address'] }))
  const { code } = errorOf(answer)
  if (answer.status === 429)
    return warning('it refuses for now, because of too many requests', 'Wait ten minutes and try again.')
  return answer.status === 400 && code !== undefined
    ? ok('open; a wrong request is refused properly')
    : broken(
        `a wrong request was answered ${answer.status}${code === undefined ? ', not with JSON' : ''}`,
        'It must be open to everybody and answer with JSON. Check the proxy in front of the server.',
      )
}

async function tokenEndpoint(address: string) {
  const body = form({
    grant_type: 'refresh_token',
    refresh_token: 'rt_doctor_wrong_on_purpose',
    client_id: 'pdpp_doctor',
  })
  const answer = await request(address, { method: 'POST', body })
  const { code } = errorOf(answer)
  return (answer.status === 400 || answer.status === 401) && code !== undefined
    ? ok('a wrong token is refused properly')
    : broken(
        `a wrong token was answered ${answer.status}${code === undefined ? ', not with JSON' : ''}`,
        'It must answer with JSON. Check the proxy in front of the server.',
      )
}
