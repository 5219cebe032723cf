import type { TestServer } from '../../../../tests/fixtures/server.ts'
import { Random } from './random.ts'
import { day, LETTER_FIELDS, letter, letterSource, reply, type Sent } from './source.ts'

/** Everything that the grant leaves out. */
export type Hiding = 'fields' | 'times' | 'resources' | 'connections'
export const HIDINGS: readonly Hiding[] = ['fields', 'times', 'resources', 'connections']

/** Days that a grant limited by time reads. */
const [SINCE, UNTIL] = [10, 50]
const VISIBLE = 60

/** A source of an owner, a grant on a part of it, and functions that change everything that the grant hides. */
export class HiddenWorld {
  readonly #test: TestServer
  readonly #random: Random
  readonly #key: string
  readonly #letters: Sent[] = []
  readonly hiding: Hiding
  /** Whether the token holds a second grant too. */
  readonly isPackage: boolean
  readonly fields: readonly string[]
  #hidden = 0

  constructor(test: TestServer, seed: number) {
    this.#test = test
    this.#random = new Random(seed)
    this.#key = `world${seed}`
    this.hiding = HIDINGS[seed % HIDINGS.length]!
    this.isPackage = seed % 3 === 0
    const granted = this.#random.some(LETTER_FIELDS).filter((field) => this.hiding !== 'fields' || field !== 'secret')
    this.fields = ['id', 'sent_at', ...granted]
  }

  /** The connection that is granted. */
  get home(): string {
    return `${this.#key}-home`
  }

  get #work(): string {
    return `${this.#key}-work`
  }

  get visibleKeys(): string[] {
    return this.#letters.map(({ key }) => key)
  }

  /** Keys that exist only in the hidden part, or do not exist yet. */
  readonly hiddenKeys: readonly string[] = ['hidden-0', 'hidden-1', 'hidden-250']

  async open(): Promise<string> {
    await this.#owner('POST', '/connectors', letterSource(this.#key))
    for (const id of [this.home, this.#work])
      await this.#owner('POST', '/v1/owner/connections', { connector_key: this.#key, connection_id: id })
    const random = this.#random
    for (let n = 0; n < VISIBLE; n++)
      this.#letters.push(letter(random, `m${n}`, day(SINCE + random.below(UNTIL - SINCE))))
    await this.#ingest('letters', this.home, this.#letters)
    await this.#ingest(
      'replies',
      this.home,
      Array.from({ length: 30 }, (_, n) => reply(random, `r${n}`, `m${n % 12}`, day(SINCE + n))),
    )
    if (this.hiding === 'times') await this.#leave()
    const times = this.hiding === 'times' ? { since: day(SINCE - 1), until: day(UNTIL + 1) } : {}
    const resources = this.hiding === 'resources' ? { resources: [...this.visibleKeys, 'r0', 'r1', 'r5'] } : {}
    const { token, grantId } = await this.#test.grant({
      connections: [this.home],
      streams: [{ name: 'letters', fields: this.fields }, { name: 'replies' }],
      ...times,
      ...resources,
    })
    return this.isPackage ? this.#package(grantId) : token
  }

  /** The same grant together with one on another source, under one token. */
  async #package(grantId: string): Promise<string> {
    const key = `${this.#key}-other`
    await this.#owner('POST', '/connectors', letterSource(key))
    await this.#owner('POST', '/v1/owner/connections', { connector_key: key, connection_id: key })
    const letters = Array.from({ length: 5 }, (_, n) => letter(this.#random, `m${n}`, day(SINCE + n)))
    await this.#ingest('letters', key, letters)
    const other = await this.#test.grant({ connections: [key] })
    const { status, body, text } = await this.#test.owner('POST', '/v1/owner/packages', {
      grants: [grantId, other.grantId],
    })
    if (status !== 201) throw new Error(text)
    return body.access_token
  }

  /** Hundreds of records, changes and deletions, none of which the grant shows. */
  async disturb(round: number): Promise<void> {
    if (this.hiding === 'fields') await this.#changeHiddenFields(round)
    else if (this.hiding === 'connections') await this.#fill(this.#work, round, () => day(this.#random.below(90)))
    else if (this.hiding === 'times') {
      await this.#fill(this.home, round, () => this.#outside())
      const left = Array.from({ length: 6 }, (_, n) => letter(this.#random, `left-${n}`, this.#outside()))
      await this.#ingest('letters', this.home, left)
    } else await this.#fill(this.home, round, () => day(this.#random.below(90)))
    await this.#ingest('drafts', this.home, [{ key: `d${round}`, data: { id: `d${round}` }, emitted_at: day(round) }])
    await this.#owner('PUT', `/v1/state/${this.#key}?connection_id=${this.home}`, { state: { letters: round } })
  }

  /** Letters that were inside the granted time and leave it. The grant shows that they left, and nothing later. */
  async #leave(): Promise<void> {
    const moved = (at: () => string) => Array.from({ length: 6 }, (_, n) => letter(this.#random, `left-${n}`, at()))
    await this.#ingest(
      'letters',
      this.home,
      moved(() => day(SINCE + 5)),
    )
    await this.#ingest(
      'letters',
      this.home,
      moved(() => this.#outside()),
    )
  }

  #outside(): string {
    return this.#random.chance(0.5) ? day(this.#random.below(SINCE - 2)) : day(UNTIL + 2 + this.#random.below(300))
  }

  /** Adds records first. Later rounds also change, move and delete some of them. */
  async #fill(connection: string, round: number, at: () => string): Promise<void> {
    const random = this.#random
    const count = 250 + random.below(300)
    const fresh = Array.from({ length: count }, (_, n) => letter(random, `hidden-${this.#hidden + n}`, at()))
    const again =
      round === 0 ? [] : Array.from({ length: 80 }, () => letter(random, `hidden-${random.below(this.#hidden)}`, at()))
    this.#hidden += count
    await this.#ingest('letters', connection, [...fresh, ...again])
    await this.#ingest(
      'replies',
      connection,
      Array.from({ length: 120 }, (_, n) => reply(random, `hidden-${round}-${n}`, `m${n % 12}`, at())),
    )
    if (round > 0) {
      const gone = Array.from({ length: 40 }, () => ({ key: `hidden-${random.below(count)}`, op: 'delete' }))
      await this.#ingest('letters', connection, gone)
    }
  }

  async #changeHiddenFields(round: number): Promise<void> {
    const hidden = LETTER_FIELDS.filter((field) => !this.fields.includes(field))
    for (let turn = 0; turn < 5; turn++) {
      const changed = this.#letters.map(({ key, data }) => {
        const other = letter(this.#random, key, null).data
        const changes = Object.fromEntries(hidden.map((field) => [field, other[field]]))
        return { key, data: { ...data, ...changes, undeclared: `${round} ${turn}` }, emitted_at: day(400 + round) }
      })
      await this.#ingest('letters', this.home, changed)
    }
  }

  async #ingest(stream: string, connection: string, records: readonly object[]): Promise<void> {
    const { status, body, text } = await this.#test.ingest(stream, connection, records as Record<string, unknown>[])
    if (status !== 200 || body.records_rejected > 0) throw new Error(text)
  }

  async #owner(method: string, path: string, body: unknown): Promise<void> {
    const { status, text } = await this.#test.owner(method, path, body)
    if (status >= 300) throw new Error(`${path}: ${text}`)
  }
}
