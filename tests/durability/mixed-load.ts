// Sends requests of clients and of the owner at the same time until the server dies, and notes what was acknowledged.
import { createHash } from 'node:crypto'

const BATCH = 20
/** The server limits the refreshes of one address per minute. */
const REFRESH_PAUSE_MS = 120

/** Random numbers that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Version = number | 'gone'

/** The known facts of one thing: the last acknowledged state, and the states that were asked for since. */
interface Known<T> {
  sure: T | undefined
  readonly maybe: Set<T>
}

export interface Refreshing {
  readonly clientId: string
  token: string
}

export interface Keys {
  readonly owner: string
  readonly client: string
  readonly refreshing: readonly Refreshing[]
}

export class MixedLoad {
  readonly #keys: Keys
  readonly #random: () => number
  readonly records = new Map<string, Known<Version>>()
  readonly grants = new Map<string, { readonly token: string } & Known<'active' | 'revoked'>>()
  readonly blobs = new Set<string>()
  readonly reads = new Set<string>()
  readonly figures = {
    batches: 0,
    updates: 0,
    deletions: 0,
    grants: 0,
    revocations: 0,
    reads: 0,
    refreshes: 0,
    blobs: 0,
  }
  #count = 0

  constructor(keys: Keys, random: () => number) {
    this.#keys = keys
    this.#random = random
  }

  /** Ends when the server dies. Throws if an answer is wrong. */
  async run(url: string, round: number): Promise<void> {
    const until = (work: () => Promise<void>) => async () => {
      for (;;)
        try {
          await work()
        } catch (error) {
          if (isAborted(error)) return
          throw error
        }
    }
    await Promise.all([
      until(() => this.#write(url, `${round}-a`))(),
      until(() => this.#write(url, `${round}-b`))(),
      until(() => this.#read(url))(),
      until(() => this.#read(url))(),
      until(() => this.#grant(url))(),
      until(() => this.#refresh(url))(),
      until(() => this.#upload(url))(),
    ])
  }

  async #write(url: string, prefix: string): Promise<void> {
    const own = [...this.records].filter(([key, { sure }]) => key.startsWith(prefix) && typeof sure === 'number')
    const kind = this.#random()
    if (own.length === 0 || kind < 0.5) {
      const keys = Array.from({ length: BATCH }, () => `${prefix}-${this.#count++}`)
      await this.#ingest(
        url,
        keys.map((key) => [key, 1]),
      )
      this.figures.batches++
      return
    }
    const [key, { sure }] = own[Math.floor(this.#random() * own.length)]!
    if (kind < 0.8) {
      await this.#ingest(url, [[key, (sure as number) + 1]])
      this.figures.updates++
      return
    }
    await this.#change(this.records.get(key)!, 'gone', () =>
      this.#ask(url, 'DELETE', `/v1/streams/messages/records/${key}?connection_id=home`, this.#keys.owner),
    )
    this.figures.deletions++
  }

  async #ingest(url: string, records: readonly (readonly [key: string, version: number])[]): Promise<void> {
    const lines = records.map(([id, size]) => JSON.stringify({ key: id, data: { id, size, subject: 'x'.repeat(150) } }))
    for (const [key, version] of records) {
      const known = this.records.get(key) ?? { sure: undefined, maybe: new Set<Version>() }
      known.maybe.add(version)
      this.records.set(key, known)
    }
    const answer = await this.#ask(
      url,
      'POST',
      '/v1/ingest/messages?connection_id=home',
      this.#keys.owner,
      lines.join('\n'),
    )
    if (answer['records_accepted'] !== records.length) throw new Error(`unexpected: ${JSON.stringify(answer)}`)
    for (const [key, version] of records) this.#sure(this.records.get(key)!, version)
  }

  async #read(url: string): Promise<void> {
    const id = `read-${this.#count++}`
    const path = ['records?limit=5', 'records?count=exact&limit=1', 'aggregate?metric=count'][this.#count % 3]
    await this.#ask(url, 'GET', `/v1/streams/messages/${path}`, this.#keys.client, undefined, { 'request-id': id })
    this.reads.add(id)
    this.figures.reads++
  }

  async #grant(url: string): Promise<void> {
    const active = [...this.grants].filter(([, { sure }]) => sure === 'active')
    const one = active[Math.floor(this.#random() * active.length)]
    if (one && this.#random() < 0.4) {
      await this.#change(one[1], 'revoked', () =>
        this.#ask(url, 'POST', `/v1/owner/grants/${one[0]}/revoke`, this.#keys.owner),
      )
      this.figures.revocations++
      return
    }
    const made = await this.#ask(
      url,
      'POST',
      '/v1/owner/grants',
      this.#keys.owner,
      JSON.stringify({ client_name: 'Load', connections: ['home'] }),
    )
    this.grants.set(String(made['grant_id']), { token: String(made['access_token']), sure: 'active', maybe: new Set() })
    this.figures.grants++
  }

  async #refresh(url: string): Promise<void> {
    const one = this.#keys.refreshing[this.#count++ % this.#keys.refreshing.length]!
    one.token = await refreshed(url, one)
    this.figures.refreshes++
    await new Promise((resolve) => setTimeout(resolve, REFRESH_PAUSE_MS))
  }

  async #upload(url: string): Promise<void> {
    const bytes = `blob ${this.#count++} ${this.#random()}`.repeat(1 + Math.floor(this.#random() * 2000))
    const path = `/v1/blobs?connection_id=home&stream=messages&record_key=b${this.#count}`
    const answer = await this.#ask(url, 'POST', path, this.#keys.owner, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (answer['sha256'] !== sha256) throw new Error(`unexpected: ${JSON.stringify(answer)}`)
    this.blobs.add(sha256)
    this.figures.blobs++
  }

  async #change<T>(known: Known<T>, to: T, ask: () => Promise<unknown>): Promise<void> {
    known.maybe.add(to)
    await ask()
    this.#sure(known, to)
  }

  #sure<T>(known: Known<T>, state: T): void {
    known.sure = state
    known.maybe.clear()
  }

  async #ask(url: string, method: string, path: string, token: string, body?: string, headers = {}) {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`unexpected: ${method} ${path} was ${response.status}: ${text.slice(0, 300)}`)
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  }
}

/** The successor of a refresh token. */
export async function refreshed(url: string, { clientId, token }: Refreshing): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  const answer = (await response.json()) as { refresh_token?: string }
  if (!response.ok || answer.refresh_token === undefined)
    throw new Error(`unexpected: a refresh was ${response.status}: ${JSON.stringify(answer)}`)
  return answer.refresh_token
}

/** True for any error of a connection to a killed process. */
function isAborted(error: unknown): boolean {
  return !String((error as Error).message).startsWith('unexpected')
}
