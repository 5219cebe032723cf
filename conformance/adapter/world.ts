// A real server in its own process, loaded through the owner's routes, and everything that is put before it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CredentialCache } from '@pdpp/mcp-server'
import { afterAll, beforeAll } from 'vitest'
import { type RunningServer, runPdpp, startServer } from '../../tests/fixtures/processes.ts'
import { type Access, type Agent, type AgentKind, connectAgent, type Entry } from './agent.ts'
import { cachedCredential } from './cached-credential.ts'
import { type RecordingProxy, recordingProxy } from './recording-proxy.ts'
import * as sources from './sources.ts'

/** What the tokens of the tests may read. */
const GRANTS: Record<string, { connections: string[]; streams?: object[] }> = {
  mail: { connections: ['home', 'work'] },
  chat: { connections: ['team'] },
  notes: { connections: ['notebook'] },
  subjects: { connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] },
  // Without the field that leads from an attachment to its message.
  unlinked: { connections: ['home'], streams: [{ name: 'messages' }, { name: 'attachments', fields: ['filename'] }] },
  sensors: { connections: Array.from({ length: 14 }, (_, index) => `sensor-${index + 1}`) },
}

export class World {
  readonly #ends: (() => Promise<void>)[] = []
  readonly #access = new Map<string, Promise<Access>>()
  readonly #agents = new Map<string, Promise<Agent>>()
  readonly dataDir = mkdtempSync(join(tmpdir(), 'pdpp-adapter-'))
  readonly cacheRoot = join(this.dataDir, 'cache')
  server!: RunningServer
  proxy!: RecordingProxy
  #ownerToken!: string
  readonly #env: Record<string, string>

  constructor(env: Record<string, string> = {}) {
    this.#env = { PDPP_LOG: 'requests', ...env }
  }

  async open(): Promise<void> {
    await this.start()
    this.proxy = await recordingProxy(() => this.server.url)
    const { code, stdout, stderr } = await runPdpp(['owner', 'token'], { dataDir: this.dataDir, atEnd: this.#atEnd })
    if (code !== 0) throw new Error(stderr)
    this.#ownerToken = stdout.trim()
    await this.#load()
  }

  /** Also after it was stopped: the proxy then leads to the new one. */
  async start(): Promise<void> {
    this.server = await startServer({ dataDir: this.dataDir, env: this.#env, atEnd: this.#atEnd })
  }

  async close(): Promise<void> {
    for (const agent of this.#agents.values()) await (await agent.catch(() => undefined))?.close()
    await this.proxy?.close()
    for (const end of this.#ends.toReversed()) await end()
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 })
  }

  get ownerToken(): string {
    return this.#ownerToken
  }

  /** A request of the owner's. */
  async owner(method: string, path: string, body?: unknown): Promise<any> {
    const raw = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const response = await this.get(path, this.#ownerToken, { method, ...(raw === undefined ? {} : { body: raw }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  get(path: string, token?: string, init: RequestInit = {}): Promise<Response> {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return fetch(this.server.url + path, { ...init, headers: { ...authorization, ...init.headers } })
  }

  /** The JSON that a token's holder gets from `/v1`. */
  async rest(path: string, token: string): Promise<any> {
    return (await this.get(path, token)).json()
  }

  /** A grant of this name, made when it is first asked for; a name like `notes 2` is a second one of the same kind. */
  grant(name: string): Promise<Access> {
    return this.#once(name, async () => {
      const request = { client_name: `Agent ${name}`, ...GRANTS[name.split(' ')[0]!] }
      const { grant_id, access_token } = await this.owner('POST', '/v1/owner/grants', request)
      return { id: grant_id, token: access_token }
    })
  }

  /** A package of the grants with these names. */
  package(name: string, ...members: string[]): Promise<Access> {
    return this.#once(name, async () => {
      const grants = await Promise.all(members.map((member) => this.grant(member)))
      const request = { grants: grants.map(({ id }) => id) }
      const { package_id, access_token } = await this.owner('POST', '/v1/owner/packages', request)
      return { id: package_id, token: access_token }
    })
  }

  /** A connected client of this kind that holds this access; the same one for every test of a file. */
  agent(kind: AgentKind, access: Access, entry: Entry = 'normal'): Promise<Agent> {
    const key = `${entry} ${kind} ${access.id}`
    if (!this.#agents.has(key)) {
      this.cache(access)
      this.#agents.set(key, connectAgent(kind, this, access, entry))
    }
    return this.#agents.get(key)!
  }

  /** What `pdpp connect` would leave for the stdio adapter; its calls pass the recording proxy. */
  cache(access: Access): void {
    new CredentialCache(this.cacheRoot).save(cachedCredential(this.proxy.url, access))
  }

  /** Which routes of the server were read meanwhile, from outside or in process, in their order. */
  async routes(during: () => Promise<unknown>): Promise<string[]> {
    await this.#logged()
    const from = this.server.output().length
    let looks = -this.proxy.looks()
    await during()
    await this.#logged()
    looks += this.proxy.looks()
    const lines = this.server.output().slice(from).split('\n')
    return lines
      .flatMap((line) => / (?:GET|POST) (\/\S+) \d{3} /.exec(line)?.[1] ?? [])
      .filter((route) => route !== '/icon.svg' && !(route === '/v1/schema' && looks-- > 0))
  }

  /** The log is written in order: when the line of a request of ours is there, so are all before it. */
  async #logged(): Promise<void> {
    const response = await this.get('/icon.svg')
    const id = response.headers.get('request-id')
    const deadline = Date.now() + 5_000
    while (!this.server.output().includes(id!)) {
      if (Date.now() > deadline) throw new Error(`The log has no line for ${id}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  #atEnd = (end: () => Promise<void>): void => {
    this.#ends.push(end)
  }

  #once(name: string, make: () => Promise<Access>): Promise<Access> {
    if (!this.#access.has(name)) this.#access.set(name, make())
    return this.#access.get(name)!
  }

  async ingest(stream: string, connection: string, records: readonly { id: string }[]): Promise<void> {
    const lines = records.map((data) => JSON.stringify({ key: data.id, data, emitted_at: sources.EMITTED_AT }))
    const { records_rejected } = await this.owner(
      'POST',
      `/v1/ingest/${stream}?connection_id=${connection}`,
      lines.join('\n'),
    )
    if (records_rejected) throw new Error(`${records_rejected} records of ${stream} were rejected`)
  }

  async #load(): Promise<void> {
    for (const source of [sources.mailSource(), sources.chatSource, sources.notesSource, sources.sensorSource])
      await this.owner('POST', '/connectors', source)
    for (const connection of sources.CONNECTIONS) await this.owner('POST', '/v1/owner/connections', connection)
    await this.ingest('messages', 'home', sources.mailMessages('home'))
    await this.ingest('messages', 'work', sources.mailMessages('work'))
    await this.ingest('attachments', 'home', sources.ATTACHMENTS)
    await this.ingest('messages', 'team', sources.CHAT_MESSAGES)
    await this.ingest('notes', 'notebook', sources.NOTES)
    await this.ingest('hoard', 'notebook', sources.HOARD)
    await this.ingest('readings', 'sensor-1', sources.READINGS)
  }
}

/** One world for a file of tests. */
export function openWorld(env: Record<string, string> = {}): World {
  const world = new World(env)
  beforeAll(() => world.open())
  afterAll(() => world.close())
  return world
}
