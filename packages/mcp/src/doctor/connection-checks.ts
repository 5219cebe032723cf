import { textOf } from '../resource-server/envelope.ts'
import { type Check, reasonOf } from './check.ts'
import { broken, ok, warning } from './check-result.ts'
import { initializeParams, LEGACY, mcpCall } from './mcp-call.ts'
import { endpoint, metadataUrl } from './metadata.ts'
import { type Answer, errorOf, form, jsonBody, request } from './request.ts'

const SKEW_MS = 60_000

export interface Asking {
  /** What to do where nothing answers: it depends on who asks, and from where. */
  readonly fix: string
  readonly exitCode?: number
  /** A server that asks itself never goes elsewhere, whatever an answer says. */
  readonly onlyHere?: boolean
}

/** The way of a host that knows nothing but the address: refusal, both documents, who gives tokens, and how. */
export function connectionChecks(url: string, asking: Asking): Check[] {
  const followed = (address: string | undefined): string => {
    if (asking.onlyHere && new URL(address!).origin !== new URL(url).origin)
      throw new Error(`it leads to ${address}, which is another server`)
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
              ? 'Is the address right? The adapter is at <address>/mcp.'
              : 'Hosts begin to sign in only after a 401: look at what stands in front of the server.',
          )
        challenge = /resource_metadata="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1]
        return challenge === undefined
          ? broken(
              'its 401 does not say where to begin (WWW-Authenticate with resource_metadata)',
              'A proxy may take the header away: let WWW-Authenticate through.',
            )
          : ok('401, and says where to begin')
      },
    },
    { name: 'Metadata of /mcp', run: async () => (await resourceDocument(followed(challenge), `${url}/mcp`)).finding },
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
        const answer = await request(metadataUrl(followed(issuer)))
        metadata = answer.body
        return authorizationServer(answer, issuer!)
      },
    },
    { name: 'Registration', run: () => registration(followed(endpoint(metadata, 'registration_endpoint'))) },
    { name: 'Token endpoint', run: () => tokenEndpoint(followed(endpoint(metadata, 'token_endpoint'))) },
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
      'it does not answer for this name (421)',
      'Tell the server its name: PDPP_PUBLIC_URL, or PDPP_TRUSTED_HOSTS.',
    )
  if (answer.status >= 500)
    return broken(`it answered ${answer.status}`, 'Look at what the server printed; a proxy in front may not reach it.')
  const took = Date.now() - started
  const theirs = Date.parse(answer.headers.get('date') ?? '')
  const skew = theirs - Date.now()
  if (Math.abs(skew) > SKEW_MS)
    return warning(
      `answers in ${took} ms, but its clock is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? 'ahead of' : 'behind'} this one`,
      'Set both clocks (NTP): tokens and sign-in links end too early or too late.',
    )
  return ok(`answers in ${took} ms, and the clocks agree`)
}

/** RFC 9728 section 3.3: a document that is about another resource must not be used. */
async function resourceDocument(address: string, resource: string) {
  const answer = await request(address)
  const document = answer.body
  const about = textOf(document['resource'])
  const fix = `A host takes only what ${resource} says of itself: set PDPP_PUBLIC_URL to the address that people use.`
  const finding =
    answer.status !== 200 || about === undefined
      ? broken(
          `${address} answered ${answer.status}${answer.status === 200 ? ' without a resource' : ''}`,
          'Let /.well-known/ through to the server.',
        )
      : about.replace(/\/+$/, '') !== resource
        ? broken(`it is about ${about}, not ${resource}`, fix)
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
      `it says that it is ${String(body['issuer'])}, not ${issuer}`,
      'Set PDPP_PUBLIC_URL to the address that people use; hosts compare letter by letter.',
    )
  const missing = ['authorization_endpoint', 'token_endpoint'].filter((name) => endpoint(body, name) === undefined)
  if (missing.length > 0)
    return broken(`it has no ${missing.join(' and no ')}`, 'Run a version of the server that has them.')
  const lists = (name: string, value: string) => Array.isArray(body[name]) && body[name].includes(value)
  if (!lists('code_challenge_methods_supported', 'S256'))
    return broken('it does not offer PKCE with S256', 'Hosts refuse to go on without it.')
  if (endpoint(body, 'registration_endpoint') === undefined)
    return broken('it registers no clients', 'Turn client registration on: some hosts have no other way.')
  if (!lists('token_endpoint_auth_methods_supported', 'none'))
    return warning(
      'it does not list "none" as a way to authenticate',
      'Some hosts then do not connect as public clients.',
    )
  return ok(issuer)
}

/** Asked for something impossible: a proper refusal proves the endpoint and leaves nothing behind. */
async function registration(address: string) {
  const answer = await request(address, jsonBody({ client_name: 'pdpp doctor', redirect_uris: ['not an address'] }))
  const { code } = errorOf(answer)
  if (answer.status === 429) return warning('it wants fewer requests', 'Wait ten minutes and try again.')
  return answer.status === 400 && code !== undefined
    ? ok('open; a wrong request is refused properly')
    : broken(
        `a wrong request was answered ${answer.status}${code === undefined ? ', not with JSON' : ''}`,
        'It has to be open to everybody, and answer with JSON: look at what stands in front of the server.',
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
        'It has to answer with JSON: look at what stands in front of the server.',
      )
}
