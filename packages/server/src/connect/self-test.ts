import type { Context } from '../context.ts'
import { broken, type Check, type Finding, ok, warning } from './finding.ts'
import { type OwnAnswer, ownRequest, reasonOf, sent } from './own-request.ts'

const PROTOCOL = '2025-11-25'

type Found = Finding & { readonly name: string }

export interface SelfTestResult {
  readonly at: number
  readonly origin: string
  readonly found: readonly Found[]
}

/** The checks of `pdpp doctor`, run by the server against the address that clients are told; the last result is kept. */
export class SelfTest {
  readonly #context: Pick<Context, 'search'>
  #running: Promise<SelfTestResult> | undefined
  last: SelfTestResult | undefined

  constructor(context: Pick<Context, 'search'>) {
    this.#context = context
  }

  /** One at a time: whoever asks meanwhile waits for the same. */
  run(origin: string, subjectId: string): Promise<SelfTestResult> {
    this.#running ??= this.#run(origin, subjectId).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #run(origin: string, subjectId: string): Promise<SelfTestResult> {
    const checks = [...wayInChecks(origin), { name: 'A search', run: () => this.#search(subjectId) }]
    const found: Found[] = []
    for (const check of checks) {
      // Each link hangs on the one before.
      const stopped = found.some(({ state }) => state === 'broken')
      found.push({ name: check.name, ...(stopped ? { state: 'skipped', says: 'not tried' } : await tried(check)) })
    }
    this.last = { at: Date.now(), origin, found }
    return this.last
  }

  async #search(subjectId: string): Promise<Finding> {
    const request = {
      text: 'the',
      streams: undefined,
      connectionId: undefined,
      filters: [],
      since: undefined,
      until: undefined,
    }
    const owner = { kind: 'owner', subjectId } as const
    const { outcome } = await this.#context.search.search(owner, { ...request, limit: 1, cursor: undefined }, [])
    return outcome.building === 0
      ? ok('answered, and the index is current')
      : warning('answered, but some records are not found yet', 'Wait: the index is built while the server runs.')
  }
}

/** The way of a host that knows nothing but the address: refusal, both documents, who gives tokens, and how. */
function wayInChecks(origin: string): Check[] {
  return [
    { name: 'Reachable', run: () => reachable(origin) },
    { name: 'Refusal at /mcp', run: () => refusal(origin) },
    {
      name: 'Metadata of /mcp',
      run: () => resource(`${origin}/.well-known/oauth-protected-resource/mcp`, `${origin}/mcp`),
    },
    { name: 'Metadata of the server', run: () => resource(`${origin}/.well-known/oauth-protected-resource`, origin) },
    { name: 'Authorization server', run: () => authorizationServer(origin) },
    { name: 'Registration', run: () => registration(origin) },
    { name: 'Token endpoint', run: () => tokenEndpoint(origin) },
  ]
}

async function tried(check: Check): Promise<Finding> {
  try {
    return await check.run()
  } catch (error) {
    return broken(
      `no proper answer (${reasonOf(error)})`,
      'Look at what the server printed, and at what stands in front of it.',
    )
  }
}

async function reachable(origin: string): Promise<Finding> {
  const started = Date.now()
  let answer: OwnAnswer
  try {
    answer = await ownRequest(`${origin}/.well-known/oauth-protected-resource`)
  } catch (error) {
    return broken(
      `no answer (${reasonOf(error)})`,
      'Is the address right, and does the proxy in front run? Some routers do not let a computer reach its own public address: then try from a phone without Wi-Fi.',
    )
  }
  if (answer.status === 421)
    return broken(
      'it does not answer for this name (421)',
      'Tell the server its name: PDPP_PUBLIC_URL, or PDPP_TRUSTED_HOSTS.',
    )
  if (answer.status >= 500)
    return broken(`it answered ${answer.status}`, 'Look at what the server printed; a proxy in front may not reach it.')
  return ok(`answers in ${Date.now() - started} ms`)
}

async function refusal(origin: string): Promise<Finding> {
  const params = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: 'pdpp-self-test', version: '1' } }
  const answer = await ownRequest(`${origin}/mcp`, sent({ jsonrpc: '2.0', id: 1, method: 'initialize', params }))
  if (answer.status !== 401)
    return broken(
      `without a token it answered ${answer.status}, not 401`,
      'Hosts begin to sign in only after a 401: look at what stands in front of the server.',
    )
  return /resource_metadata="[^"]+"/.test(answer.headers.get('www-authenticate') ?? '')
    ? ok('401, and says where to begin')
    : broken(
        'its 401 does not say where to begin (WWW-Authenticate with resource_metadata)',
        'A proxy may take the header away: let WWW-Authenticate through.',
      )
}

/** RFC 9728 section 3.3: a document that is about another resource must not be used. */
async function resource(address: string, expected: string): Promise<Finding> {
  const { status, body } = await ownRequest(address)
  if (status !== 200 || typeof body['resource'] !== 'string')
    return broken(`${address} answered ${status}`, 'Let /.well-known/ through to the server.')
  return body['resource'].replace(/\/+$/, '') === expected
    ? ok(address)
    : broken(
        `it is about ${body['resource'].slice(0, 200)}, not ${expected}`,
        `A host takes only what ${expected} says of itself: set PDPP_PUBLIC_URL to the address that people use.`,
      )
}

async function authorizationServer(origin: string): Promise<Finding> {
  const { status, body } = await ownRequest(`${origin}/.well-known/oauth-authorization-server`)
  if (status !== 200) return broken(`it answered ${status}`, 'Let /.well-known/ through to the server.')
  return body['issuer'] === origin
    ? ok(origin)
    : broken(
        `it says that it is ${String(body['issuer']).slice(0, 200)}, not ${origin}`,
        'Set PDPP_PUBLIC_URL to the address that people use; hosts compare letter by letter.',
      )
}

/** Asked for something impossible: a proper refusal proves the endpoint and leaves nothing behind. */
async function registration(origin: string): Promise<Finding> {
  const answer = await ownRequest(
    `${origin}/oauth/register`,
    sent({ client_name: 'pdpp self-test', redirect_uris: ['not an address'] }),
  )
  if (answer.status === 429) return warning('it wants fewer requests', 'Wait ten minutes and try again.')
  return refusedProperly(answer, 'a wrong request', 'open; a wrong request is refused properly')
}

async function tokenEndpoint(origin: string): Promise<Finding> {
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: 'rt_wrong_on_purpose',
    client_id: 'pdpp_self_test',
  })
  const answer = await ownRequest(`${origin}/oauth/token`, { method: 'POST', body })
  return refusedProperly(answer, 'a wrong token', 'a wrong token is refused properly')
}

function refusedProperly({ status, body }: OwnAnswer, what: string, says: string): Finding {
  return (status === 400 || status === 401) && body['error'] !== undefined
    ? ok(says)
    : broken(
        `${what} was answered ${status}${body['error'] === undefined ? ', not with JSON' : ''}`,
        'It has to answer with JSON: look at what stands in front of the server.',
      )
}
